// The measured routes as a careful Go programmer serves them: net/http, database/sql with prepared statements, encoding/json. For
// comparison only. BENCH_SOCKET, BENCH_DATABASE: where it listens, and the data source.
package main

import (
	"bytes"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cespare/xxhash"
	_ "github.com/go-sql-driver/mysql"
)

var database *sql.DB

// One prepared statement a text, which database/sql keeps on each of its connections.
var statements sync.Map

func prepared(text string) (*sql.Stmt, error) {
	if known, ok := statements.Load(text); ok {
		return known.(*sql.Stmt), nil
	}
	statement, err := database.Prepare(text)
	if err != nil {
		return nil, err
	}
	kept, loaded := statements.LoadOrStore(text, statement)
	if loaded {
		statement.Close()
	}
	return kept.(*sql.Stmt), nil
}

func query(text string, values ...interface{}) (*sql.Rows, error) {
	statement, err := prepared(text)
	if err != nil {
		return nil, err
	}
	return statement.Query(values...)
}

type counted struct {
	total int64
	until time.Time
}

var totals sync.Map

// What the statement counts; with the header Cached-Total it may be a second old.
func total(request *http.Request, text string, values ...interface{}) (count int64, err error) {
	var key strings.Builder
	cached := request.Header.Get("Cached-Total") != ""
	if cached {
		key.WriteString(text)
		for _, value := range values {
			if part, ok := value.([]byte); ok {
				key.Write(part)
			} else if part, ok := value.(string); ok {
				key.WriteString(part)
			} else {
				key.WriteString(strconv.FormatInt(value.(int64), 10))
			}
		}
		if known, ok := totals.Load(key.String()); ok && time.Now().Before(known.(counted).until) {
			return known.(counted).total, nil
		}
	}
	statement, err := prepared(text)
	if err != nil {
		return 0, err
	}
	err = statement.QueryRow(values...).Scan(&count)
	if err == nil && cached {
		totals.Store(key.String(), counted{count, time.Now().Add(time.Second)})
	}
	return count, err
}

var buffers = sync.Pool{New: func() interface{} { return new(bytes.Buffer) }}

func answer(out http.ResponseWriter, request *http.Request, status int, body interface{}, cache string) {
	buffer := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buffer)
	buffer.Reset()
	encoder := json.NewEncoder(buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(body); err != nil {
		http.Error(out, `{"error":"Internal server error"}`, 500)
		return
	}
	text := bytes.TrimSuffix(buffer.Bytes(), []byte("\n"))
	header := out.Header()
	header.Set("Content-Type", "application/json; charset=utf-8")
	header.Set("Cache-Control", cache)
	if status == 200 {
		tag := `"` + strconv.FormatUint(xxhash.Sum64(text), 16) + `"`
		header.Set("ETag", tag)
		if request.Header.Get("If-None-Match") == tag {
			out.WriteHeader(304)
			return
		}
	}
	header.Set("Content-Length", strconv.Itoa(len(text)))
	out.WriteHeader(status)
	out.Write(text)
}

func fail(out http.ResponseWriter, request *http.Request, status int, text string) {
	answer(out, request, status, map[string]string{"error": text}, "no-store")
}

func failed(out http.ResponseWriter, request *http.Request, err error) bool {
	if err == nil {
		return false
	}
	log.Print(err)
	fail(out, request, 500, "Internal server error")
	return true
}

// A number of the query, and whether it is within its bounds.
func bounded(text string, usual, most int64) (int64, bool) {
	if text == "" {
		return usual, true
	}
	number, err := strconv.ParseInt(text, 10, 64)
	return number, err == nil && number >= 1 && number <= most
}

type uuid [16]byte

func (id *uuid) Scan(value interface{}) error {
	copy(id[:], value.([]byte))
	return nil
}

func (id uuid) MarshalText() ([]byte, error) {
	text := make([]byte, 36)
	hex.Encode(text, id[:4])
	hex.Encode(text[9:], id[4:6])
	hex.Encode(text[14:], id[6:8])
	hex.Encode(text[19:], id[8:10])
	hex.Encode(text[24:], id[10:])
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	return text, nil
}

// Empty for what is no UUID.
func uuidBytes(text string) []byte {
	if len(text) != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return nil
	}
	id, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
	if err != nil || len(id) != 16 {
		return nil
	}
	return id
}

// A DATETIME(3) as text.
type instant string

func (time *instant) Scan(value interface{}) error {
	*time = instant(value.([]byte))
	return nil
}

func (time instant) MarshalText() ([]byte, error) {
	text := append([]byte(time), 'Z')
	text[10] = 'T'
	return text, nil
}

func main() {
	var err error
	database, err = sql.Open("mysql", os.Getenv("BENCH_DATABASE"))
	if err != nil {
		log.Fatal(err)
	}
	database.SetMaxOpenConns(8)
	database.SetMaxIdleConns(8)
	socket := os.Getenv("BENCH_SOCKET")
	os.Remove(socket)
	listener, err := net.Listen("unix", socket)
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/api/v1/jobs", listJobs)
	http.HandleFunc("/api/v1/jobs/", getJob)
	http.HandleFunc("/api/v1/stock", listStock)
	log.Fatal(http.Serve(listener, nil))
}
