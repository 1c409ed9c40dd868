import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.AccountsApi;
import org.openapitools.client.api.ActivitiesApi;
import org.openapitools.client.api.PlansApi;
import org.openapitools.client.api.PortfolioApi;
import org.openapitools.client.model.Activity;
import org.openapitools.client.model.CreateAccount;
import org.openapitools.client.model.EarnIntent;
import org.openapitools.client.model.ExecutePlan;
import org.openapitools.client.model.ListEvents200Response;
import org.openapitools.client.model.Plan;
import org.openapitools.client.model.SwapIntent;

public class Journey {
    private final ActivitiesApi activities;
    private final PlansApi plans;
    private final String account;

    private Journey(ApiClient client, String account) {
        activities = new ActivitiesApi(client);
        plans = new PlansApi(client);
        this.account = account;
    }

    public static void main(String[] arguments) throws Exception {
        ApiClient client = new ApiClient();
        client.updateBaseUri(System.getenv("SVC_BASE_URL"));
        String bearer = "Bearer " + System.getenv("SVC_API_KEY");
        client.setRequestInterceptor(request -> request.header("Authorization", bearer));
        CreateAccount body = new CreateAccount()
            .signerType(CreateAccount.SignerTypeEnum.EOA)
            .signerAddress(hand("signer"));
        String account = new AccountsApi(client).createAccount(body).getAccountId();
        hand("fund", account);

        Journey journey = new Journey(client, account);
        journey.carryOut(journey.earn("2000000"));
        SwapIntent swap = new SwapIntent()
            .sellAsset("USDC")
            .buyAsset("WETH")
            .network(SwapIntent.NetworkEnum.BASE)
            .sellAmount("3000000");
        journey.carryOut(journey.plans.planSwap(account, swap));
        journey.carryOut(journey.earn("15000000"));
        try {
            journey.earn("900000000000");
            throw new IllegalStateException("not refused");
        } catch (ApiException refused) {
            if (!refused.getResponseBody().contains("plan_failed")) throw refused;
        }

        int count = journey.activities.listActivities(account).getActivities().size();
        String weth = new PortfolioApi(client).getFolio(account, null).getFolio().getBalances().entrySet().stream()
            .filter(entry -> entry.getKey().startsWith("token/base/WETH/"))
            .findFirst()
            .orElseThrow()
            .getValue();
        System.out.println("done: " + count + " activities, WETH " + weth);
    }

    private Plan earn(String amount) throws ApiException {
        EarnIntent intent = new EarnIntent()
            .amount(amount)
            .asset("USDC")
            .network(EarnIntent.NetworkEnum.BASE)
            .protocol(EarnIntent.ProtocolEnum.COMPOUND);
        return plans.planEarn(account, intent);
    }

    private void carryOut(Plan plan) throws ApiException, IOException {
        String signature = hand("sign", plan.getDetails().getEip712Data().getDigest());
        ExecutePlan body = new ExecutePlan().planId(plan.getPlanId()).signature(signature);
        String id = plans.executePlan(account, body).getActivityId();
        Activity activity;
        long cursor = 0;
        do {
            ListEvents200Response page = activities.listEvents(account, cursor, true);
            cursor = page.getCursor();
            activity = activities.getActivity(id);
        } while (activity.getActivityStatus() == Activity.ActivityStatusEnum.PENDING);
        if (activity.getActivityStatus() != Activity.ActivityStatusEnum.CONFIRMED)
            throw new IllegalStateException("the activity has failed");
        List<String> names = new ArrayList<>();
        names.add(activity.getSvcIntent().getActualInstance().getClass().getSimpleName());
        activity.getExecutions().forEach(execution -> execution.getActions()
            .forEach(action -> names.add(action.getActualInstance().getClass().getSimpleName())));
        System.out.println(String.join(" ", names));
    }

    private static String hand(String... arguments) throws IOException {
        List<String> command =
            Stream.concat(Stream.of("node", System.getenv("HAND")), Stream.of(arguments)).toList();
        Process process =
            new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        return new String(process.getInputStream().readAllBytes());
    }
}
