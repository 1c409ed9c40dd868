// The good client in Go, with its standard library: it does what it was asked for exactly once, whatever happens on the way.
package main

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/big"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const (
	key    = "5555555555555555555555555555555555555555555555555555555555555555"
	signer = "0xe1fae9b4fab2f5726677ecfa912d96b0b683e6a9"
	friend = "0x00000000000000000000000000000000000f41e7"
)

type object = map[string]any

type answer struct {
	status int
	body   object
	wait   time.Duration
}

// send makes one request. The status is 0 when no whole answer comes in time.
func send(method, path string, body any, timeout time.Duration) answer {
	text, _ := json.Marshal(body)
	request, err := http.NewRequest(method, os.Getenv("SVC_BASE_URL")+path, bytes.NewReader(text))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("authorization", "Bearer "+os.Getenv("SVC_API_KEY"))
	request.Header.Set("content-type", "application/json")
	// A request that was cut is not sent again behind our back: a client without kept connections has none to lose.
	client := http.Client{Timeout: timeout, Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return answer{}
	}
	defer response.Body.Close()
	whole, err := io.ReadAll(response.Body)
	var got object
	if err != nil || json.Unmarshal(whole, &got) != nil {
		return answer{}
	}
	seconds, _ := strconv.ParseFloat(response.Header.Get("retry-after"), 64)
	return answer{response.StatusCode, got, time.Duration(seconds * float64(time.Second))}
}

func passes(status int) bool {
	return status == 0 || status == 408 || status == 422 || status == 429 || status >= 500
}

// patiently sends a request that may be sent twice without harm, until it is answered.
func patiently(method, path string, body any) answer {
	pause := 40 * time.Millisecond
	for tries := 1; ; tries++ {
		got := send(method, path, body, 35*time.Second)
		if !passes(got.status) || tries == 10 {
			return got
		}
		time.Sleep(max(got.wait, pause))
		pause = min(2*pause, 500*time.Millisecond)
	}
}

func openAccount() string {
	made := patiently("POST", "/accounts", object{"signer_type": "eoa", "signer_address": signer})
	account := made.body
	if made.status == 409 {
		listed, _ := patiently("GET", "/accounts", nil).body["accounts"].([]any)
		for _, each := range listed {
			if strings.EqualFold(each.(object)["signer_address"].(string), signer) {
				account = each.(object)
			}
		}
	}
	id, ok := account["account_id"].(string)
	if !ok {
		log.Fatalf("no account: %d", made.status)
	}
	funds, _ := json.Marshal(object{"account_id": id, "asset": "USDC", "amount": "5000000", "network": "base"})
	funded, err := http.Post(os.Getenv("SVC_CONTROL_URL")+"/fund", "application/json", bytes.NewReader(funds))
	if err != nil {
		log.Fatal(err)
	}
	funded.Body.Close()
	return "/accounts/" + id
}

// activityOf finds the activity of a plan; it is empty when the plan was not executed.
func activityOf(account string, planID any) string {
	got := patiently("GET", account+"/activities", nil)
	listed, ok := got.body["activities"].([]any)
	if !ok {
		log.Fatalf("no activities: %d", got.status)
	}
	for _, each := range listed {
		if activity := each.(object); activity["plan_id"] == planID {
			return activity["activity_id"].(string)
		}
	}
	return ""
}

// carryOut looks what became of a plan, after an answer that says neither yes nor no, before it does anything again.
func carryOut(account string, intent object) string {
	for plans := 0; plans < 6; plans++ {
		plan := patiently("POST", account+"/plan/transfer", intent)
		if plan.status != 201 {
			log.Fatalf("no plan: %d", plan.status)
		}
		digest := plan.body["details"].(object)["eip712_data"].(object)["digest"].(string)
		execution := object{"plan_id": plan.body["plan_id"], "signature": sign(digest)}
		for tries := 0; tries < 10; tries++ {
			got := send("POST", account+"/plan/execute", execution, 35*time.Second)
			if id, ok := got.body["activity_id"].(string); ok && got.status < 300 {
				return id
			}
			if id := activityOf(account, plan.body["plan_id"]); id != "" {
				return id
			}
			if got.status == 404 || got.status == 409 {
				break
			}
			time.Sleep(max(got.wait, time.Duration(50*(tries+1))*time.Millisecond))
		}
	}
	log.Fatal("no plan could be executed")
	return ""
}

// follow waits until an activity has ended: events say when to look, the activity says what is.
func follow(account, id string) {
	cursor := 0
	for polls := 0; polls < 60; polls++ {
		switch patiently("GET", "/activities/"+id, nil).body["activity_status"] {
		case "confirmed":
			return
		case "failed":
			log.Fatal(id + " failed")
		}
		page := send("GET", fmt.Sprintf("%s/events?since=%d&poll=true", account, cursor), nil, 35*time.Second)
		if next, ok := page.body["cursor"].(float64); ok && page.status == 200 {
			cursor = int(next)
		} else {
			time.Sleep(max(page.wait, 50*time.Millisecond))
		}
	}
	log.Fatal(id + " does not end")
}

// The curve secp256k1, for tests only: how long it takes gives keys away to whoever can measure it.
var (
	p, n  = number("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f"), number("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")
	baseX = number("79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")
	baseY = number("483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8")
)

func number(digits string) *big.Int {
	value, _ := new(big.Int).SetString(digits, 16)
	return value
}

func mod(value, by *big.Int) *big.Int { return new(big.Int).Mod(value, by) }

func times(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }

type point struct{ x, y *big.Int }

// plus adds two points; nil is the one at infinity. No sum of a point and its opposite occurs here.
func plus(a, b *point) *point {
	if a == nil {
		return b
	}
	var slope *big.Int
	if a.x.Cmp(b.x) == 0 {
		slope = times(times(big.NewInt(3), times(a.x, a.x)), new(big.Int).ModInverse(times(big.NewInt(2), a.y), p))
	} else {
		slope = times(new(big.Int).Sub(b.y, a.y), new(big.Int).ModInverse(mod(new(big.Int).Sub(b.x, a.x), p), p))
	}
	x := mod(new(big.Int).Sub(new(big.Int).Sub(times(slope, slope), a.x), b.x), p)
	return &point{x, mod(new(big.Int).Sub(times(slope, new(big.Int).Sub(a.x, x)), a.y), p)}
}

func sign(digest string) string {
	hash, err := hex.DecodeString(strings.TrimPrefix(digest, "0x"))
	if err != nil {
		log.Fatal(err)
	}
	nonce, err := rand.Int(rand.Reader, n)
	if err != nil {
		log.Fatal(err)
	}
	var at *point
	for bit := nonce.BitLen() - 1; bit >= 0; bit-- {
		if at != nil {
			at = plus(at, at)
		}
		if nonce.Bit(bit) == 1 {
			at = plus(at, &point{baseX, baseY})
		}
	}
	sum := new(big.Int).Add(new(big.Int).SetBytes(hash), times(at.x, number(key)))
	s, parity := mod(times(new(big.Int).ModInverse(nonce, n), sum), n), at.y.Bit(0)
	if s.Cmp(new(big.Int).Rsh(n, 1)) > 0 { // of the two that are valid, contracts take the lower one
		s, parity = new(big.Int).Sub(n, s), parity^1
	}
	return fmt.Sprintf("0x%064x%064x%02x", at.x, s, 27+parity)
}

func main() {
	account := openAccount()
	follow(account, carryOut(account, object{"asset": "USDC", "amount": "2000000", "network": "base", "recipient": friend}))
}
