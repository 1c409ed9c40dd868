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
	if refused, is := err.(*svc.GenericOpenAPIError); is {
		panic(fmt.Sprintf("%s: %s", err, refused.Body()))
	}
	if err != nil {
		panic(err)
	}
}

func hand(args ...string) string {
	out, err := exec.Command("node", append([]string{os.Getenv("HAND")}, args...)...).Output()
	check(err)
	return string(out)
}

var ctx = context.WithValue(context.Background(), svc.ContextAccessToken, os.Getenv("SVC_API_KEY"))
var client *svc.APIClient

func carryOut(account string, plan *svc.Plan) {
	signature := hand("sign", plan.Details.Eip712Data.Digest)
	executed, _, err := client.PlansAPI.ExecutePlan(ctx, account).ExecutePlan(*svc.NewExecutePlan(plan.PlanId, signature)).Execute()
	check(err)
	cursor := int64(0)
	for {
		page, _, err := client.ActivitiesAPI.ListEvents(ctx, account).Since(cursor).Poll(true).Execute()
		check(err)
		cursor = page.Cursor
		activity, _, err := client.ActivitiesAPI.GetActivity(ctx, executed.ActivityId).Execute()
		check(err)
		if activity.ActivityStatus == "pending" {
			continue
		}
		if activity.ActivityStatus != "confirmed" {
			panic("the activity has failed")
		}
		fmt.Printf("%T", activity.SvcIntent.GetActualInstance())
		for _, execution := range activity.Executions {
			for _, action := range execution.Actions {
				fmt.Printf(" %T", action.GetActualInstance())
			}
		}
		fmt.Println()
		return
	}
}

func earn(account string, amount string) (*svc.Plan, error) {
	intent := svc.NewEarnIntent(amount, "USDC", "base", "compound")
	plan, _, err := client.PlansAPI.PlanEarn(ctx, account).EarnIntent(*intent).Execute()
	return plan, err
}

func main() {
	configuration := svc.NewConfiguration()
	configuration.Servers = svc.ServerConfigurations{{URL: os.Getenv("SVC_BASE_URL")}}
	client = svc.NewAPIClient(configuration)
	created, _, err := client.AccountsAPI.CreateAccount(ctx).CreateAccount(*svc.NewCreateAccount("eoa", hand("signer"))).Execute()
	check(err)
	account := created.AccountId
	hand("fund", account)

	plan, err := earn(account, "2000000")
	check(err)
	carryOut(account, plan)
	intent := svc.NewSwapIntent("USDC", "WETH", "base")
	intent.SetSellAmount("3000000")
	plan, _, err = client.PlansAPI.PlanSwap(ctx, account).SwapIntent(*intent).Execute()
	check(err)
	carryOut(account, plan)
	plan, err = earn(account, "15000000")
	check(err)
	carryOut(account, plan)
	_, err = earn(account, "900000000000")
	if refused, is := err.(*svc.GenericOpenAPIError); !is || refused.Model().(svc.Error).Error != "plan_failed" {
		panic(fmt.Sprintf("not refused: %v", err))
	}

	activities, _, err := client.ActivitiesAPI.ListActivities(ctx, account).Execute()
	check(err)
	answer, _, err := client.PortfolioAPI.GetFolio(ctx, account).Execute()
	check(err)
	for key, balance := range answer.Folio.Balances {
		if strings.HasPrefix(key, "token/base/WETH/") {
			fmt.Printf("done: %d activities, WETH %s\n", len(activities.Activities), balance)
			return
		}
	}
	panic("no WETH in the folio")
}
