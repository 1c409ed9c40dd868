// Signs a plan's digest with Nethereum.Signer. The plan comes on standard input, the key in SIGNER_KEY; prints the signature for `execute`.
// Not executed by the tests of svc-sim.
using System;
using System.Text.Json;
using Nethereum.Hex.HexConvertors.Extensions;
using Nethereum.Signer;

var plan = JsonDocument.Parse(Console.In.ReadToEnd()).RootElement;
var digest = plan.GetProperty("details").GetProperty("eip712_data").GetProperty("digest").GetString();
var key = new EthECKey(Environment.GetEnvironmentVariable("SIGNER_KEY"));
// As it is: EthereumMessageSigner would add the prefix of personal messages.
var signature = key.SignAndCalculateV(digest.HexToByteArray());
Console.WriteLine(EthECDSASignature.CreateStringSignature(signature));
