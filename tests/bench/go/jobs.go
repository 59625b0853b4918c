package main

import (
	"crypto/sha256"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

const jobColumns = "t.id, t.slug, o.id, o.slug, o.name, o.logo_url, t.title, t.summary, t.category, t.department, t.contract_type, t.working_hours," +
	" t.workplace, t.city, t.postal_code, t.country, t.salary_min, t.salary_max, t.salary_currency, t.salary_period, t.apply_url, t.apply_email," +
	" t.status, t.published_at, t.expires_at, t.created_at, t.updated_at"
const jobCache = "public, max-age=0, must-revalidate"

type organisation struct {
	Id      uuid    `json:"id"`
	Slug    string  `json:"slug"`
	Name    string  `json:"name"`
	LogoUrl *string `json:"logoUrl"`
}

type job struct {
	Id             uuid         `json:"id"`
	Slug           string       `json:"slug"`
	Organisation   organisation `json:"organisation"`
	Title          string       `json:"title"`
	Summary        *string      `json:"summary"`
	Description    **string     `json:"description,omitempty"` // only of a detail, and there it may be null
	Category       *string      `json:"category"`
	Department     *string      `json:"department"`
	ContractType   *string      `json:"contractType"`
	WorkingHours   *string      `json:"workingHours"`
	Workplace      *string      `json:"workplace"`
	City           *string      `json:"city"`
	PostalCode     *string      `json:"postalCode"`
	Country        *string      `json:"country"`
	SalaryMin      *int64       `json:"salaryMin"`
	SalaryMax      *int64       `json:"salaryMax"`
	SalaryCurrency *string      `json:"salaryCurrency"`
	SalaryPeriod   *string      `json:"salaryPeriod"`
	ApplyUrl       *string      `json:"applyUrl"`
	ApplyEmail     *string      `json:"applyEmail"`
	Status         string       `json:"status"`
	PublishedAt    *instant     `json:"publishedAt"`
	ExpiresAt      *instant     `json:"expiresAt"`
	CreatedAt      instant      `json:"createdAt"`
	UpdatedAt      instant      `json:"updatedAt"`
}

func (j *job) columns() []interface{} {
	return []interface{}{&j.Id, &j.Slug, &j.Organisation.Id, &j.Organisation.Slug, &j.Organisation.Name, &j.Organisation.LogoUrl, &j.Title, &j.Summary,
		&j.Category, &j.Department, &j.ContractType, &j.WorkingHours, &j.Workplace, &j.City, &j.PostalCode, &j.Country, &j.SalaryMin, &j.SalaryMax,
		&j.SalaryCurrency, &j.SalaryPeriod, &j.ApplyUrl, &j.ApplyEmail, &j.Status, &j.PublishedAt, &j.ExpiresAt, &j.CreatedAt, &j.UpdatedAt}
}

type jobFilter struct {
	index, where string
	values       []interface{}
}

func (f *jobFilter) add(index, condition string, value interface{}) {
	f.index = index
	f.where += " AND " + condition
	f.values = append(f.values, value)
}

// False for a query that cannot be.
func readJobFilter(query url.Values) (jobFilter, bool) {
	filter := jobFilter{index: "jobs_listed", where: "t.listed = 1 AND (t.expires_at IS NULL OR t.expires_at > UTC_TIMESTAMP(3))"}
	// The last one names the index.
	for _, bound := range [][2]string{{"salaryMin", "t.salary_high >= ?"}, {"salaryMax", "t.salary_low <= ?"}} {
		if text := query.Get(bound[0]); text != "" {
			number, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return filter, false
			}
			filter.add("jobs_salary", bound[1], number)
		}
	}
	if text := query.Get("contractType"); text != "" {
		filter.add("jobs_contract_type", "t.contract_type = ?", strings.ToUpper(text))
	}
	for _, name := range []string{"department", "category", "city"} {
		if text := query.Get(name); text != "" {
			key := sha256.Sum256([]byte(strings.Join(strings.Fields(strings.ToLower(text)), " ")))
			filter.add("jobs_"+name, "t."+name+"_key = ?", key[:16])
		}
	}
	if text := query.Get("organisationId"); text != "" {
		id := uuidBytes(text)
		if id == nil {
			return filter, false
		}
		filter.add("jobs_organisation", "t.organisation_id = ?", id)
	}
	return filter, true
}

type jobPage struct {
	Jobs  []job `json:"jobs"`
	Total int64 `json:"total"`
	Page  int64 `json:"page"`
	Pages int64 `json:"pages"`
}

func listJobs(out http.ResponseWriter, request *http.Request) {
	asked := request.URL.Query()
	page, pageOk := bounded(asked.Get("page"), 1, 2147483647)
	limit, limitOk := bounded(asked.Get("limit"), 20, 100)
	filter, filterOk := readJobFilter(asked)
	if !pageOk || !limitOk || !filterOk {
		fail(out, request, 400, "Invalid query")
		return
	}
	count, err := total(request, "SELECT COUNT(*) FROM jobs t FORCE INDEX ("+filter.index+") WHERE "+filter.where, filter.values...)
	if failed(out, request, err) {
		return
	}
	data := jobPage{[]job{}, count, page, (count + limit - 1) / limit}
	if offset := (page - 1) * limit; offset < count {
		rows, err := query("SELECT STRAIGHT_JOIN "+jobColumns+" FROM (SELECT t.id FROM jobs t FORCE INDEX ("+filter.index+") WHERE "+filter.where+
			" ORDER BY t.published_at DESC, t.id DESC LIMIT ? OFFSET ?) k JOIN jobs t ON t.id = k.id"+
			" JOIN organisations o ON o.id = t.organisation_id ORDER BY t.published_at DESC, t.id DESC", append(filter.values, limit, offset)...)
		if failed(out, request, err) {
			return
		}
		defer rows.Close()
		data.Jobs = make([]job, 0, limit)
		for rows.Next() {
			data.Jobs = append(data.Jobs, job{})
			if failed(out, request, rows.Scan(data.Jobs[len(data.Jobs)-1].columns()...)) {
				return
			}
		}
		if failed(out, request, rows.Err()) {
			return
		}
	}
	out.Header().Set("X-Total-Count", strconv.FormatInt(count, 10))
	answer(out, request, 200, map[string]*jobPage{"data": &data}, jobCache)
}

func getJob(out http.ResponseWriter, request *http.Request) {
	name := strings.TrimPrefix(request.URL.Path, "/api/v1/jobs/")
	condition, value := "t.slug = ?", interface{}(name)
	if id := uuidBytes(name); id != nil {
		condition, value = "t.id = ?", id
	}
	rows, err := query("SELECT "+jobColumns+", t.description FROM jobs t JOIN organisations o ON o.id = t.organisation_id WHERE "+condition+
		" AND t.listed = 1 AND (t.expires_at IS NULL OR t.expires_at > UTC_TIMESTAMP(3))", value)
	if failed(out, request, err) {
		return
	}
	defer rows.Close()
	if !rows.Next() {
		fail(out, request, 404, "Not found")
		return
	}
	var found job
	var description *string
	if failed(out, request, rows.Scan(append(found.columns(), &description)...)) {
		return
	}
	found.Description = &description
	answer(out, request, 200, map[string]*job{"data": &found}, jobCache)
}
