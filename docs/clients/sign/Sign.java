// Signs a plan with web3j. The plan comes on standard input, the key in SIGNER_KEY; prints the signature for `execute`.
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.web3j.crypto.Credentials;
import org.web3j.crypto.Sign.SignatureData;
import org.web3j.crypto.StructuredDataEncoder;
import org.web3j.utils.Numeric;

public class Sign {
    static final ObjectMapper JSON = new ObjectMapper();
    static final String NAME = "{\"name\":\"name\",\"type\":\"string\"},{\"name\":\"version\",\"type\":\"string\"}";
    static final String CHAIN = ",{\"name\":\"chainId\",\"type\":\"uint256\"},{\"name\":\"verifyingContract\",\"type\":\"address\"}";
    static final String OPERATION = "[{\"name\":\"nonce\",\"type\":\"bytes32\"},{\"name\":\"isReplayable\",\"type\":\"bool\"},"
            + "{\"name\":\"scriptAddress\",\"type\":\"address\"},{\"name\":\"scriptSources\",\"type\":\"bytes[]\"},"
            + "{\"name\":\"scriptCalldata\",\"type\":\"bytes\"},{\"name\":\"expiry\",\"type\":\"uint256\"}]";

    static byte[] digestOf(String domainType, ObjectNode domain, String primaryType, String fields, ObjectNode message) throws Exception {
        ObjectNode data = JSON.createObjectNode();
        ObjectNode types = data.putObject("types");
        types.set("EIP712Domain", JSON.readTree("[" + domainType + "]"));
        types.set(primaryType, JSON.readTree(fields));
        data.put("primaryType", primaryType);
        data.set("domain", domain);
        data.set("message", message);
        return new StructuredDataEncoder(JSON.writeValueAsString(data)).hashStructuredData();
    }

    static ObjectNode domain() {
        return JSON.createObjectNode().put("name", "Svc Wallet").put("version", "1");
    }

    /** The digest of one operation: bound to its chain and to the account's wallet. */
    static byte[] operationDigest(JsonNode item) throws Exception {
        JsonNode operation = item.get("operation");
        JsonNode action = item.get("action");
        ObjectNode message = JSON.createObjectNode();
        message.put("nonce", operation.get("nonce").asText());
        message.put("isReplayable", operation.get("is_replayable").asBoolean());
        message.put("scriptAddress", operation.get("script_address").asText());
        message.set("scriptSources", operation.get("script_sources"));
        message.put("scriptCalldata", operation.get("script_calldata").asText());
        message.put("expiry", operation.get("expiry").asText());
        ObjectNode domain = domain()
                .put("chainId", action.get("chain_id").asText())
                .put("verifyingContract", action.get("svc_account").asText());
        return digestOf(NAME + CHAIN, domain, "SvcOperation", OPERATION, message);
    }

    /** One operation is signed as it is; several are signed as the list of their digests, without a chain. */
    static byte[] planDigest(JsonNode plan) throws Exception {
        JsonNode items = plan.at("/details/svc_operation_actions");
        if (items.size() == 1) return operationDigest(items.get(0));
        ObjectNode message = JSON.createObjectNode();
        ArrayNode digests = message.putArray("opDigests");
        for (JsonNode item : items) digests.add(Numeric.toHexString(operationDigest(item)));
        String fields = "[{\"name\":\"opDigests\",\"type\":\"bytes32[]\"}]";
        return digestOf(NAME, domain(), "MultiSvcOperation", fields, message);
    }

    public static void main(String[] args) throws Exception {
        JsonNode plan = JSON.readTree(System.in);
        byte[] digest = planDigest(plan);
        String asked = plan.at("/details/eip712_data/digest").asText();
        if (!Numeric.toHexString(digest).equals(asked)) {
            System.err.println("the plan asks to sign " + asked + ", but its operations make " + Numeric.toHexString(digest) + ": do not sign it");
            System.exit(1);
        }
        Credentials signer = Credentials.create(System.getenv("SIGNER_KEY"));
        SignatureData signature = org.web3j.crypto.Sign.signMessage(digest, signer.getEcKeyPair(), false);
        System.out.println(Numeric.toHexString(signature.getR())
                + Numeric.toHexStringNoPrefix(signature.getS())
                + Numeric.toHexStringNoPrefix(signature.getV()));
    }
}
