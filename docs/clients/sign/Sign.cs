// Signs a plan with Nethereum.Signer. The plan comes on standard input, the key in SIGNER_KEY; prints the signature for `execute`.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Numerics;
using System.Text;
using System.Text.Json;
using Nethereum.Hex.HexConvertors.Extensions;
using Nethereum.Signer;
using Nethereum.Util;

static class Sign
{
    static int Main()
    {
        var plan = JsonDocument.Parse(Console.In.ReadToEnd()).RootElement;
        var digest = PlanDigest(plan);
        var asked = plan.GetProperty("details").GetProperty("eip712_data").GetProperty("digest").GetString();
        if (digest.ToHex(true) != asked)
        {
            Console.Error.WriteLine($"the plan asks to sign {asked}, but its operations make {digest.ToHex(true)}: do not sign it");
            return 1;
        }
        // The hash as it is: EthereumMessageSigner would add the prefix of personal messages.
        var key = new EthECKey(Environment.GetEnvironmentVariable("SIGNER_KEY"));
        Console.WriteLine(EthECDSASignature.CreateStringSignature(key.SignAndCalculateV(digest)));
        return 0;
    }

    // One operation is signed as it is; several are signed as the list of their digests, without a chain.
    static byte[] PlanDigest(JsonElement plan)
    {
        var digests = plan.GetProperty("details").GetProperty("svc_operation_actions").EnumerateArray().Select(OperationDigest).ToList();
        if (digests.Count == 1) return digests[0];
        var domain = Hash(Text("EIP712Domain(string name,string version)"), Text("Svc Wallet"), Text("1"));
        return TypedHash(domain, Hash(Text("MultiSvcOperation(bytes32[] opDigests)"), Hash(digests.ToArray())));
    }

    // The digest of one operation: bound to its chain and to the account's wallet.
    static byte[] OperationDigest(JsonElement item)
    {
        var action = item.GetProperty("action");
        var domain = Hash(
            Text("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
            Text("Svc Wallet"),
            Text("1"),
            Number(action.GetProperty("chain_id").GetString()),
            Word(action.GetProperty("svc_account").GetString().HexToByteArray()));
        var operation = item.GetProperty("operation");
        var sources = operation.GetProperty("script_sources").EnumerateArray().Select(source => Hash(source.GetString().HexToByteArray()));
        var message = Hash(
            Text("SvcOperation(bytes32 nonce,bool isReplayable,address scriptAddress,bytes[] scriptSources,bytes scriptCalldata,uint256 expiry)"),
            operation.GetProperty("nonce").GetString().HexToByteArray(),
            Number(operation.GetProperty("is_replayable").GetBoolean() ? "1" : "0"),
            Word(operation.GetProperty("script_address").GetString().HexToByteArray()),
            Hash(sources.ToArray()),
            Hash(operation.GetProperty("script_calldata").GetString().HexToByteArray()),
            Number(operation.GetProperty("expiry").GetString()));
        return TypedHash(domain, message);
    }

    static byte[] TypedHash(byte[] domain, byte[] message)
    {
        return Hash(new byte[] { 0x19, 0x01 }, domain, message);
    }

    static byte[] Hash(params byte[][] parts)
    {
        return Sha3Keccack.Current.CalculateHash(parts.SelectMany(part => part).ToArray());
    }

    // EIP-712 encodes a text as its hash, and each other value as one word of 32 bytes.
    static byte[] Text(string text)
    {
        return Hash(Encoding.UTF8.GetBytes(text));
    }

    static byte[] Number(string digits)
    {
        return Word(BigInteger.Parse(digits).ToByteArray().Reverse().SkipWhile(one => one == 0).ToArray());
    }

    static byte[] Word(byte[] value)
    {
        return new byte[32 - value.Length].Concat(value).ToArray();
    }
}
