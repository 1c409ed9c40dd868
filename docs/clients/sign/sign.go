// Signs a plan with go-ethereum. The plan comes on standard input, the key in SIGNER_KEY; prints the signature for `execute`.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/common/math"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
)

type plan struct {
	Details struct {
		Items []struct {
			Operation struct {
				Nonce          string   `json:"nonce"`
				IsReplayable   bool     `json:"is_replayable"`
				ScriptAddress  string   `json:"script_address"`
				ScriptSources  []string `json:"script_sources"`
				ScriptCalldata string   `json:"script_calldata"`
				Expiry         string   `json:"expiry"`
			} `json:"operation"`
			Action struct {
				ChainID string `json:"chain_id"`
				Wallet  string `json:"svc_account"`
			} `json:"action"`
		} `json:"svc_operation_actions"`
		Eip712 struct {
			Digest string `json:"digest"`
		} `json:"eip712_data"`
	} `json:"details"`
}

var nameFields = []apitypes.Type{{Name: "name", Type: "string"}, {Name: "version", Type: "string"}}

func digestOf(data apitypes.TypedData) []byte {
	hash, _, err := apitypes.TypedDataAndHash(data)
	if err != nil {
		log.Fatal(err)
	}
	return hash
}

// planDigest signs one operation as it is, bound to its chain and wallet; several as the list of their digests, without a chain.
func planDigest(p plan) []byte {
	var digests []any
	for _, item := range p.Details.Items {
		chainID, _ := math.ParseBig256(item.Action.ChainID)
		sources := []any{}
		for _, source := range item.Operation.ScriptSources {
			sources = append(sources, source)
		}
		digests = append(digests, hexutil.Encode(digestOf(apitypes.TypedData{
			Types: apitypes.Types{
				"EIP712Domain": append(nameFields[:2:2], apitypes.Type{Name: "chainId", Type: "uint256"}, apitypes.Type{Name: "verifyingContract", Type: "address"}),
				"SvcOperation": {
					{Name: "nonce", Type: "bytes32"}, {Name: "isReplayable", Type: "bool"},
					{Name: "scriptAddress", Type: "address"}, {Name: "scriptSources", Type: "bytes[]"},
					{Name: "scriptCalldata", Type: "bytes"}, {Name: "expiry", Type: "uint256"},
				},
			},
			PrimaryType: "SvcOperation",
			Domain: apitypes.TypedDataDomain{
				Name: "Svc Wallet", Version: "1",
				ChainId: (*math.HexOrDecimal256)(chainID), VerifyingContract: item.Action.Wallet,
			},
			Message: apitypes.TypedDataMessage{
				"nonce": item.Operation.Nonce, "isReplayable": item.Operation.IsReplayable,
				"scriptAddress": item.Operation.ScriptAddress, "scriptSources": sources,
				"scriptCalldata": item.Operation.ScriptCalldata, "expiry": item.Operation.Expiry,
			},
		})))
	}
	if len(digests) == 1 {
		return hexutil.MustDecode(digests[0].(string))
	}
	return digestOf(apitypes.TypedData{
		Types: apitypes.Types{
			"EIP712Domain":      nameFields,
			"MultiSvcOperation": {{Name: "opDigests", Type: "bytes32[]"}},
		},
		PrimaryType: "MultiSvcOperation",
		Domain:      apitypes.TypedDataDomain{Name: "Svc Wallet", Version: "1"},
		Message:     apitypes.TypedDataMessage{"opDigests": digests},
	})
}

func main() {
	var p plan
	if err := json.NewDecoder(os.Stdin).Decode(&p); err != nil {
		log.Fatal(err)
	}
	digest := planDigest(p)
	if asked := p.Details.Eip712.Digest; hexutil.Encode(digest) != asked {
		log.Fatalf("the plan asks to sign %s, but its operations make %s: do not sign it", asked, hexutil.Encode(digest))
	}
	key, err := crypto.HexToECDSA(strings.TrimPrefix(os.Getenv("SIGNER_KEY"), "0x"))
	if err != nil {
		log.Fatal(err)
	}
	signature, err := crypto.Sign(digest, key)
	if err != nil {
		log.Fatal(err)
	}
	signature[64] += 27 // go-ethereum gives 0 or 1, contracts want 27 or 28.
	fmt.Println(hexutil.Encode(signature))
}
