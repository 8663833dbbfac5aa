package discord

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"
)

// wired is a line after its handshake, and the gateway's end of it.
func wired(t *testing.T, s *session, resume []byte) (*gatewayConn, net.Conn) {
	t.Helper()
	here, there := net.Pipe()
	t.Cleanup(func() { here.Close(); there.Close() })
	l := newGatewayConn(here, s, quick.silenceLimits, resume, slog.New(slog.DiscardHandler))
	go io.WriteString(there, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n")
	head := make([]byte, 1024)
	if n, err := l.Read(head); err != nil || !strings.HasSuffix(string(head[:n]), "\r\n\r\n") {
		t.Fatalf("handshake %q, %v", head[:n], err)
	}
	return l, there
}

// shown is the next packet that discordgo would read.
func shown(t *testing.T, l *gatewayConn) packet {
	t.Helper()
	buf := make([]byte, 64<<10)
	n, err := l.Read(buf)
	if err != nil {
		t.Fatal(err)
	}
	head, payload, err := (&gatewayConn{in: bufio.NewReader(strings.NewReader(string(buf[:n])))}).frame()
	var p packet
	if err != nil || head != 0x81 || json.Unmarshal(payload, &p) != nil {
		t.Fatalf("frame %x %q, %v", head, payload, err)
	}
	return p
}

const hello = `{"op":10,"d":{"heartbeat_interval":1000}}`

func TestDiscordgoSeesNothingThatPanicsInIt(t *testing.T) {
	l, gateway := wired(t, &session{}, nil)
	go func() {
		for _, said := range []string{hello, "null", "[]", "7", `"x"`, "{", "", " null ", `{"op":99}`, `{"op":-1,"d":{}}`,
			`{"op":0,"s":1,"t":"GUILD_CREATE","d":null}`, `{"op":0,"s":2,"t":"READY","d":{"guilds":[null]}}`, `{"op":11}`} {
			gateway.Write(serverFrame(opcodeText, []byte(said)))
		}
	}()
	for _, want := range []string{"10 ", "0 raw GUILD_CREATE", "0 raw READY", "11 "} {
		p := shown(t, l)
		if got := strings.TrimSpace(string(rune('0'+p.Op/10))+string(rune('0'+p.Op%10))) + " " + p.Type; strings.TrimPrefix(got, "0") != want {
			t.Errorf("shown %q, want %q", got, want)
		}
	}
}

func TestAHeartbeatThatIsAskedForIsAnsweredHere(t *testing.T) {
	s := &session{}
	s.begin(packet{Seq: 42})
	l, gateway := wired(t, s, nil)
	go func() {
		gateway.Write(serverFrame(opcodeText, []byte(hello)))
		gateway.Write(serverFrame(opcodeText, []byte(`{"op":1,"d":null}`)))
	}()
	if p := shown(t, l); p.Op != 10 {
		t.Fatalf("shown %+v", p)
	}
	go l.Read(make([]byte, 1))
	want := string(clientFrame(opcodeText, []byte(`{"op":1,"d":42}`)))
	got := make([]byte, len(want))
	if _, err := io.ReadFull(gateway, got); err != nil || string(got) != want {
		t.Errorf("answered %q, %v", got, err)
	}
}

func TestLineEndings(t *testing.T) {
	text := func(s string) []byte { return serverFrame(opcodeText, []byte(s)) }
	for name, c := range map[string]struct {
		said []byte
		want error
	}{
		"op 7":                {text(`{"op":7,"d":null}`), errReconnect},
		"op 9":                {text(`{"op":9,"d":false}`), errInvalid},
		"no heartbeat":        {text(`{"op":10,"d":{"heartbeat_interval":0}}`), errProtocol},
		"negative heartbeat":  {text(`{"op":10,"d":{"heartbeat_interval":-1}}`), errProtocol},
		"endless heartbeat":   {text(`{"op":10,"d":{"heartbeat_interval":9223372036854775807}}`), errProtocol},
		"heartbeat of null":   {text(`{"op":10,"d":null}`), errProtocol},
		"binary":              {serverFrame(2, []byte("zlib")), errProtocol},
		"masked":              {clientFrame(opcodeText, []byte(hello)), errProtocol},
		"reserved bits":       {append([]byte{0xf1}, 0), errProtocol},
		"endless frame":       {[]byte{0x81, 127, 0x7f, 255, 255, 255, 255, 255, 255, 255}, errProtocol},
		"a cut in the middle": {[]byte{0x81, 126, 1}, io.ErrUnexpectedEOF},
	} {
		t.Run(name, func(t *testing.T) {
			s := &session{id: "s", url: "u"}
			l, gateway := wired(t, s, nil)
			go func() { gateway.Write(c.said); gateway.Close() }()
			_, err := l.Read(make([]byte, 1024))
			if !errors.Is(err, c.want) {
				t.Errorf("ended with %v, want %v", err, c.want)
			}
			<-l.ended
			if kept := s.id != ""; kept == (name == "op 9") {
				t.Errorf("session kept: %v", kept)
			}
		})
	}
}

func TestCloseCodesAreReported(t *testing.T) {
	l, gateway := wired(t, &session{}, nil)
	go gateway.Write(serverFrame(opcodeClose, append([]byte{4014 >> 8, 4014 & 0xff}, "Disallowed intent(s)."...)))
	_, err := l.Read(make([]byte, 1024))
	var closed *closeError
	if !errors.As(err, &closed) || closed.Code != 4014 || closed.Text != "Disallowed intent(s)." {
		t.Errorf("ended with %v", err)
	}
}

func TestAPacketInPiecesIsPutTogether(t *testing.T) {
	l, gateway := wired(t, &session{}, nil)
	go func() {
		first := serverFrame(opcodeText, []byte(hello[:10]))
		first[0] &^= 0x80
		gateway.Write(first)
		gateway.Write(serverFrame(9, []byte("ping")))
		gateway.Write(serverFrame(opcodeContinue, []byte(hello[10:])))
	}()
	ping := make([]byte, 6)
	if _, err := io.ReadFull(l, ping); err != nil || string(ping[2:]) != "ping" {
		t.Fatalf("read %q, %v", ping, err)
	}
	if p := shown(t, l); p.Op != 10 || string(p.Data) != hello[12:len(hello)-1] && !strings.Contains(string(p.Data), "1000") {
		t.Errorf("shown %+v", p)
	}
}

func TestAResumeReplacesIdentify(t *testing.T) {
	s := &session{token: "secret"}
	ready, _ := s.begin(packet{Seq: 1, Type: "READY", Data: []byte(`{"session_id":"S","resume_gateway_url":"wss://elsewhere"}`)})
	done, _ := s.begin(packet{Seq: 9})
	ready()
	done()
	frame, url := s.resume()
	l, gateway := wired(t, s, frame)
	want := `{"op":6,"d":{"token":"secret","session_id":"S","seq":9}}`
	if url != "wss://elsewhere" || string(frame) != string(clientFrame(opcodeText, []byte(want))) {
		t.Fatalf("resume at %s with %q", url, frame)
	}
	identify, heartbeat := clientFrame(opcodeText, []byte(`{"op":2}`)), clientFrame(opcodeText, []byte(`{"op":1,"d":9}`))
	go func() { l.Write(identify); l.Write(heartbeat) }()
	got := make([]byte, len(frame)+len(heartbeat))
	if _, err := io.ReadFull(gateway, got); err != nil || string(got) != string(frame)+string(heartbeat) {
		t.Errorf("sent %q, %v", got, err)
	}
}

func TestALineThatSaysNothingEnds(t *testing.T) {
	l, _ := wired(t, &session{}, nil)
	l.patience.Hello = 10 * time.Millisecond
	if _, err := l.Read(make([]byte, 1)); err == nil {
		t.Error("read from a silent gateway")
	}
	<-l.ended
}
