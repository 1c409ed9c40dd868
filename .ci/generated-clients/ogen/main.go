package main

import (
	"context"
	"fmt"
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

type key struct{}

func (key) ApiKey(context.Context, svc.OperationName) (svc.ApiKey, error) {
	return svc.ApiKey{Token: os.Getenv("SVC_API_KEY")}, nil
}

// Each operation answers one of several types: the wanted one, or one per status of a refusal.
func wanted[T any](answer any, err error) T {
	check(err)
	if right, is := answer.(T); is {
		return right
	}
	panic(fmt.Sprintf("%T: %+v", answer, answer))
}

var ctx = context.Background()
var client *svc.Client

func carryOut(account string, plan *svc.Plan) {
	signature := hand("sign", plan.Details.Eip712Data.Digest)
	request := &svc.ExecutePlan{PlanID: plan.PlanID, Signature: signature}
	ran, err := client.ExecutePlan(ctx, request, svc.ExecutePlanParams{AccountID: account})
	executed := wanted[*svc.ExecutionResult](ran, err)
	cursor := int64(0)
	for {
		read, err := client.ListEvents(ctx, svc.ListEventsParams{AccountID: account, Since: svc.NewOptInt64(cursor), Poll: svc.NewOptBool(true)})
		cursor = wanted[*svc.ListEventsOK](read, err).Cursor
		found, err := client.GetActivity(ctx, svc.GetActivityParams{ActivityID: executed.ActivityID})
		activity := wanted[*svc.Activity](found, err)
		if activity.ActivityStatus == "pending" {
			continue
		}
		if activity.ActivityStatus != "confirmed" {
			panic("the activity has failed")
		}
		fmt.Print(activity.SvcIntent.Value.Type)
		for _, execution := range activity.Executions {
			for _, action := range execution.Actions {
				fmt.Print(" ", action.Type)
			}
		}
		fmt.Println()
		return
	}
}

func earn(account string, amount string) (svc.PlanEarnRes, error) {
	request := &svc.EarnIntent{Amount: amount, Asset: "USDC", Network: "base", Protocol: "compound"}
	return client.PlanEarn(ctx, request, svc.PlanEarnParams{AccountID: account})
}

func main() {
	var err error
	client, err = svc.NewClient(os.Getenv("SVC_BASE_URL"), key{})
	check(err)
	made, err := client.CreateAccount(ctx, &svc.CreateAccount{SignerType: "eoa", SignerAddress: hand("signer")})
	account := wanted[*svc.Account](made, err).AccountID
	hand("fund", account)

	plan, err := earn(account, "2000000")
	carryOut(account, wanted[*svc.Plan](plan, err))
	intent := &svc.SwapIntent{SellAsset: "USDC", BuyAsset: "WETH", Network: "base", SellAmount: svc.NewOptString("3000000")}
	swap, err := client.PlanSwap(ctx, intent, svc.PlanSwapParams{AccountID: account})
	carryOut(account, wanted[*svc.Plan](swap, err))
	plan, err = earn(account, "15000000")
	carryOut(account, wanted[*svc.Plan](plan, err))
	refused, err := earn(account, "900000000000")
	if code := wanted[*svc.PlanEarnBadRequest](refused, err).Error; code != "plan_failed" {
		panic("not refused: " + code)
	}

	listed, err := client.ListActivities(ctx, svc.ListActivitiesParams{AccountID: account})
	activities := wanted[*svc.ListActivitiesOK](listed, err).Activities
	read, err := client.GetFolio(ctx, svc.GetFolioParams{AccountID: account})
	for key, balance := range wanted[*svc.GetFolioOK](read, err).Folio.Balances {
		if strings.HasPrefix(key, "token/base/WETH/") {
			fmt.Printf("done: %d activities, WETH %s\n", len(activities), balance)
			return
		}
	}
	panic("no WETH in the folio")
}
