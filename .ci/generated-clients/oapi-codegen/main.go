package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"

	"journey/svc"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func hand(args ...string) string {
	out, err := exec.Command("node", append([]string{os.Getenv("HAND")}, args...)...).Output()
	check(err)
	return string(out)
}

func refusal(status string, problem *svc.Error) error {
	if problem != nil {
		return fmt.Errorf("%s: %s", problem.Error, problem.Message)
	}
	return fmt.Errorf("unexpected answer: %s", status)
}

var ctx = context.Background()
var client *svc.ClientWithResponses

// Signs and executes a plan and follows it to its end. Returns in how many transactions it was done.
func carryOut(account string, plan *svc.Plan) int {
	signature := hand("sign", plan.Details.Eip712Data.Digest)
	body := svc.ExecutePlan{PlanId: plan.PlanId, Signature: signature}
	executed, err := client.ExecutePlanWithResponse(ctx, account, body)
	check(err)
	if executed.JSON200 == nil {
		check(refusal(executed.Status(), executed.JSON409))
	}
	cursor, poll := int64(0), true
	for {
		page, err := client.ListEventsWithResponse(ctx, account, &svc.ListEventsParams{Since: &cursor, Poll: &poll})
		check(err)
		cursor = page.JSON200.Cursor
		answer, err := client.GetActivityWithResponse(ctx, executed.JSON200.ActivityId)
		check(err)
		activity := answer.JSON200
		if activity.ActivityStatus == "pending" {
			continue
		}
		if activity.ActivityStatus != "confirmed" {
			panic("the activity has failed")
		}
		intent, err := activity.SvcIntent.Discriminator()
		check(err)
		fmt.Print(intent)
		for _, execution := range activity.Executions {
			for _, action := range execution.Actions {
				value, err := action.ValueByDiscriminator()
				check(err)
				fmt.Printf(" %T", value)
			}
		}
		fmt.Println()
		return len(activity.Executions)
	}
}

func earn(account string, amount string) *svc.PlanEarnResponse {
	made, err := client.PlanEarnWithResponse(ctx, account, svc.EarnIntent{Amount: amount, Asset: "USDC", Network: "base", Protocol: "compound"})
	check(err)
	return made
}

func main() {
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("SVC_API_KEY"))
		return nil
	}
	var err error
	client, err = svc.NewClientWithResponses(os.Getenv("SVC_BASE_URL"), svc.WithRequestEditorFn(authorize))
	check(err)
	created, err := client.CreateAccountWithResponse(ctx, svc.CreateAccount{SignerType: "eoa", SignerAddress: hand("signer")})
	check(err)
	if created.JSON201 == nil {
		check(refusal(created.Status(), created.JSON400))
	}
	account := created.JSON201.AccountId
	hand("fund", account)

	carryOut(account, earn(account, "2000000").JSON201)
	amount := "3000000"
	swap, err := client.PlanSwapWithResponse(ctx, account, svc.SwapIntent{SellAsset: "USDC", BuyAsset: "WETH", Network: "base", SellAmount: &amount})
	check(err)
	if swap.JSON201 == nil {
		check(refusal(swap.Status(), swap.JSON400))
	}
	carryOut(account, swap.JSON201)
	if sent := carryOut(account, earn(account, "15000000").JSON201); sent < 2 {
		panic("the third plan was to be bridged")
	}
	if refused := earn(account, "900000000000"); refused.JSON400 == nil || refused.JSON400.Error != "plan_failed" {
		panic("not refused: " + refused.Status())
	}

	activities, err := client.ListActivitiesWithResponse(ctx, account)
	check(err)
	folio, err := client.GetFolioWithResponse(ctx, account, nil)
	check(err)
	for key, balance := range folio.JSON200.Folio.Balances {
		if strings.HasPrefix(key, "token/base/WETH/") {
			fmt.Printf("done: %d activities, WETH %s\n", len(activities.JSON200.Activities), balance)
			return
		}
	}
	panic("no WETH in the folio")
}
