// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice One signed unit that a wallet executes. The EIP-712 struct has the same members in the same order.
/// @param nonce Random, unordered; usable once unless the operation is replayable
/// @param isReplayable Whether the nonce may be used again with the next submission token
/// @param scriptAddress Code that the wallet runs by delegate call
/// @param scriptSources Creation code of scripts to store before the run
/// @param scriptCalldata What the script is called with
/// @param expiry Unix seconds from which on the operation cannot run any more
struct Operation {
    bytes32 nonce;
    bool isReplayable;
    address scriptAddress;
    bytes[] scriptSources;
    bytes scriptCalldata;
    uint256 expiry;
}

/// @notice A smart wallet of one signer. It runs what the signer has signed, and nothing else; anybody may submit it.
interface ISvcWallet {
    /// @notice An operation has run.
    event OperationExecuted(
        address indexed submitter, address indexed scriptAddress, bytes32 indexed nonce, bytes32 submissionToken, bool isReplayable
    );

    /// @notice The operation's expiry has come.
    error SignatureExpired();
    /// @notice The signature is not 65 bytes of r, s (lower half) and v (27 or 28).
    error InvalidSignature();
    /// @notice The signature is well formed, but by somebody else.
    error BadSignatory();
    /// @notice The signer is a contract and does not accept the signature (EIP-1271).
    error InvalidEIP1271Signature();
    /// @notice The operation's digest is not in the signed list.
    error InvalidMultiOperation();
    /// @notice The script has no code.
    error EmptyCode();
    /// @notice The function takes at least one operation.
    error NoOperations();
    /// @notice The wallet has no such function, and no script of this transaction waits for a call of this caller.
    error UnexpectedCall(address caller);

    /// @notice The only account whose signature moves this wallet.
    function signer() external view returns (address);

    /// @notice The EIP-712 domain separator of this wallet on this chain.
    function domainSeparator() external view returns (bytes32);

    /// @notice What the signer signs for a plan of exactly this operation.
    function digestOf(Operation calldata op) external view returns (bytes32);

    /// @notice What the signer signs for a plan of several operations; independent of chain and wallet.
    function multiDigestOf(bytes32[] calldata opDigests) external pure returns (bytes32);

    /// @notice Runs an operation that was signed alone. Returns what the script returned; a script's revert is passed on unchanged.
    function executeOperation(Operation calldata op, bytes calldata signature) external returns (bytes memory);

    /// @notice Runs one operation of a plan whose list of digests was signed.
    function executeMultiOperation(Operation calldata op, bytes32[] calldata opDigests, bytes calldata signature)
        external
        returns (bytes memory);

    /// @notice Runs several operations of a signed list in order, all or nothing.
    function executeBatch(Operation[] calldata ops, bytes32[] calldata opDigests, bytes calldata signature)
        external
        returns (bytes[] memory);

    /// @notice Runs a replayable operation again: `submissionToken` hashes to the token of the run before.
    function replayOperation(Operation calldata op, bytes32 submissionToken, bytes calldata signature)
        external
        returns (bytes memory);

    /// @notice Whether the signer has signed this hash, or, as a contract, accepts the signature (EIP-1271): 0x1626ba7e or 0xffffffff.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4);
}
