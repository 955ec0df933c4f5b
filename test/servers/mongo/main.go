// A MongoDB-protocol server for the tests: FerretDB 1.24 over SQLite, on loopback.
//
// Usage: mongo-test-server --dir <folder> [--port <port>]
//
// Prints one line, the server's URL, once it accepts connections. Stops on SIGTERM or SIGINT.
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	port := flag.Int("port", 0, "TCP port on 127.0.0.1; 0 takes a free one")
	dir := flag.String("dir", "", "folder of the database files; made when missing")
	flag.Parse()
	if err := serve(*port, *dir); err != nil {
		fmt.Fprintln(os.Stderr, "mongo-test-server:", err)
		os.Exit(1)
	}
}

func serve(port int, dir string) error {
	if dir == "" {
		return fmt.Errorf("--dir is missing")
	}
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(absolute, 0o700); err != nil {
		return err
	}

	// A write survives the end of this process, not that of the machine: syncing the disk for each would halve the rate.
	folder := url.URL{
		Scheme:   "file",
		Path:     strings.TrimSuffix(absolute, "/") + "/",
		RawQuery: url.Values{"_pragma": {"synchronous(normal)"}}.Encode(),
	}

	// FerretDB logs every failed statement; only what would make a test's failure hard to explain is wanted.
	logger := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: net.JoinHostPort("127.0.0.1", strconv.Itoa(port))},
		Logger:    logger,
		Handler:   "sqlite",
		SQLiteURL: folder.String(),
	})
	if err != nil {
		return err
	}

	stop, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- server.Run(stop) }()

	// MongoDBURI waits for the listener.
	fmt.Println(server.MongoDBURI())
	return <-ended
}
