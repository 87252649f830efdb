// Renders a chart as helm does: with Go's templates and the functions of sprig. It reads what templates are given, as
// JSON, and writes the manifests.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
)

func main() {
	folder := os.Args[1]
	var given map[string]interface{}
	must(json.NewDecoder(os.Stdin).Decode(&given))
	chart := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	functions["include"] = func(name string, given interface{}) (string, error) {
		var text bytes.Buffer
		err := chart.ExecuteTemplate(&text, name, given)
		return text.String(), err
	}
	chart.Funcs(functions)
	files, err := filepath.Glob(filepath.Join(folder, "templates", "*"))
	must(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(err)
		template.Must(chart.New(filepath.Base(file)).Parse(string(text)))
	}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "_") {
			continue
		}
		if name == "NOTES.txt" {
			must(chart.ExecuteTemplate(os.Stderr, name, given))
			continue
		}
		var text bytes.Buffer
		must(chart.ExecuteTemplate(&text, name, given))
		fmt.Printf("---\n# Source: %s\n%s\n", name, strings.TrimSpace(text.String()))
	}
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
