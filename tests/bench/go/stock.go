package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
)

const stockColumns = "s.id, s.organisation_id, s.reference, s.title, s.description, s.category, s.make, s.model, s.variant, s.year, s.item_condition," +
	" s.price, s.currency, s.attributes, s.status, s.availability, s.created_at, s.updated_at"

var extensions = map[string]string{"image/jpeg": ".jpg", "image/png": ".png", "image/webp": ".webp"}

type image struct {
	UploadId     uuid   `json:"uploadId"`
	Url          string `json:"url"`
	ThumbnailUrl string `json:"thumbnailUrl"`
}

type stockItem struct {
	Id             uuid            `json:"id"`
	OrganisationId uuid            `json:"organisationId"`
	Reference      string          `json:"reference"`
	Title          string          `json:"title"`
	Description    *string         `json:"description"`
	Category       *string         `json:"category"`
	Make           *string         `json:"make"`
	Model          *string         `json:"model"`
	Variant        *string         `json:"variant"`
	Year           *int64          `json:"year"`
	Condition      *string         `json:"condition"`
	Price          *int64          `json:"price"`
	Currency       *string         `json:"currency"`
	Attributes     json.RawMessage `json:"attributes"`
	Status         string          `json:"status"`
	Availability   string          `json:"availability"`
	CreatedAt      instant         `json:"createdAt"`
	UpdatedAt      instant         `json:"updatedAt"`
	Images         []image         `json:"images"`
}

type stockPage struct {
	Stock []stockItem `json:"stock"`
	Total int64       `json:"total"`
	Page  int64       `json:"page"`
	Pages int64       `json:"pages"`
}

func marks(count int) string {
	return strings.TrimSuffix(strings.Repeat("?, ", count), ", ")
}

// The first column of all rows.
func idsOf(text string, values ...interface{}) ([]interface{}, error) {
	rows, err := query(text, values...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []interface{}
	for rows.Next() {
		var id []byte
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// The user of the request's token; empty for none.
func authenticate(request *http.Request) ([]interface{}, error) {
	field := request.Header.Get("Authorization")
	if len(field) != 71 || !strings.EqualFold(field[:7], "Bearer ") {
		return nil, nil
	}
	hash := sha256.Sum256([]byte(field[7:]))
	return idsOf("SELECT t.user_id FROM api_tokens t JOIN users u ON u.id = t.user_id"+
		" WHERE t.hash = ? AND t.revoked_at IS NULL AND t.expires_at > UTC_TIMESTAMP(3) AND u.disabled_at IS NULL", hash[:])
}

func readStock(organisations []interface{}, limit, offset int64) ([]stockItem, error) {
	values := append(append([]interface{}{}, organisations...), limit, offset)
	rows, err := query("SELECT "+stockColumns+" FROM (SELECT id FROM stock_items FORCE INDEX (stock_items_list) WHERE organisation_id IN ("+
		marks(len(organisations))+") ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?) k JOIN stock_items s ON s.id = k.id"+
		" ORDER BY s.created_at DESC, s.id DESC", values...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	items := make([]stockItem, 0, limit)
	for rows.Next() {
		items = append(items, stockItem{Images: []image{}})
		s := &items[len(items)-1]
		if err := rows.Scan(&s.Id, &s.OrganisationId, &s.Reference, &s.Title, &s.Description, &s.Category, &s.Make, &s.Model, &s.Variant, &s.Year,
			&s.Condition, &s.Price, &s.Currency, (*[]byte)(&s.Attributes), &s.Status, &s.Availability, &s.CreatedAt, &s.UpdatedAt); err != nil {
			return nil, err
		}
	}
	return items, rows.Err()
}

func addImages(items []stockItem) error {
	if len(items) == 0 {
		return nil
	}
	byId := make(map[uuid]*stockItem, len(items))
	ids := make([]interface{}, len(items))
	for i := range items {
		byId[items[i].Id] = &items[i]
		ids[i] = items[i].Id[:]
	}
	rows, err := query("SELECT i.stock_id, u.id, u.content_hash, u.content_type FROM stock_images i JOIN uploads u ON u.id = i.upload_id"+
		" WHERE i.stock_id IN ("+marks(len(ids))+") ORDER BY i.stock_id, i.position", ids...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var item, upload uuid
		var hash []byte
		var contentType string
		if err := rows.Scan(&item, &upload, &hash, &contentType); err != nil {
			return err
		}
		name := hex.EncodeToString(hash)
		place := "/uploads/" + name[:2] + "/" + name
		byId[item].Images = append(byId[item].Images, image{upload, place + extensions[contentType], place + ".thumb.webp"})
	}
	return rows.Err()
}

func listStock(out http.ResponseWriter, request *http.Request) {
	user, err := authenticate(request)
	if failed(out, request, err) {
		return
	}
	if len(user) == 0 {
		fail(out, request, 401, "Unauthorized")
		return
	}
	organisations, err := idsOf("SELECT organisation_id FROM memberships WHERE user_id = ?", user[0])
	if failed(out, request, err) {
		return
	}
	asked := request.URL.Query()
	page, pageOk := bounded(asked.Get("page"), 1, 2147483647)
	limit, limitOk := bounded(asked.Get("limit"), 20, 100)
	if !pageOk || !limitOk {
		fail(out, request, 400, "Invalid query")
		return
	}
	data := stockPage{Stock: []stockItem{}, Page: page}
	if len(organisations) > 0 {
		data.Total, err = total(request, "SELECT COUNT(*) FROM stock_items FORCE INDEX (stock_items_list) WHERE organisation_id IN ("+
			marks(len(organisations))+")", organisations...)
		if failed(out, request, err) {
			return
		}
		data.Pages = (data.Total + limit - 1) / limit
		if offset := (page - 1) * limit; offset < data.Total {
			data.Stock, err = readStock(organisations, limit, offset)
			if failed(out, request, err) || failed(out, request, addImages(data.Stock)) {
				return
			}
		}
	}
	out.Header().Set("X-Total-Count", strconv.FormatInt(data.Total, 10))
	answer(out, request, 200, map[string]*stockPage{"data": &data}, "private, no-cache")
}
