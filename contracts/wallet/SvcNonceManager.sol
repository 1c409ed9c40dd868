// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title SvcNonceManager
/// @notice Keeps, per wallet and nonce, the submission token of the last run. Nonces are random and unordered: a wallet can
/// have any number of signed operations open, and each can be used up on its own.
contract SvcNonceManager {
    /// @notice Stored for a nonce that was never used.
    bytes32 public constant FREE = bytes32(0);
    /// @notice Stored for a nonce that can never be used again.
    bytes32 public constant EXHAUSTED = bytes32(type(uint256).max);

    /// @notice A nonce was used with this token, or cancelled (token `EXHAUSTED`).
    event NonceSubmitted(address indexed wallet, bytes32 indexed nonce, bytes32 submissionToken);

    /// @notice The nonce was used or cancelled.
    error NonReplayableNonce(address wallet, bytes32 nonce);
    /// @notice Zero and all ones are reserved.
    error InvalidNonce(bytes32 nonce);
    /// @notice The token neither starts the nonce (equal to it) nor continues it (hashes to the stored token).
    error InvalidSubmissionToken(bytes32 nonce, bytes32 submissionToken);

    mapping(address wallet => mapping(bytes32 nonce => bytes32 token)) private tokens;

    /// @notice What is stored for a nonce of a wallet: `FREE`, `EXHAUSTED`, or the last submission token.
    function submissionTokenOf(address wallet, bytes32 nonce) external view returns (bytes32) {
        return tokens[wallet][nonce];
    }

    /// @notice Uses a nonce of the calling wallet. The first token of a nonce is the nonce itself.
    function submit(bytes32 nonce, bool isReplayable, bytes32 submissionToken) external {
        bytes32 stored = tokens[msg.sender][nonce];
        if (stored == EXHAUSTED) revert NonReplayableNonce(msg.sender, nonce);
        if (nonce == FREE || nonce == EXHAUSTED) revert InvalidNonce(nonce);
        if (submissionToken == FREE || submissionToken == EXHAUSTED) {
            revert InvalidSubmissionToken(nonce, submissionToken);
        }
        bool first = stored == FREE && submissionToken == nonce;
        bool replay = stored != FREE && keccak256(abi.encodePacked(submissionToken)) == stored;
        if (!first && !replay) revert InvalidSubmissionToken(nonce, submissionToken);
        tokens[msg.sender][nonce] = isReplayable ? submissionToken : EXHAUSTED;
        emit NonceSubmitted(msg.sender, nonce, submissionToken);
    }

    /// @notice Makes a nonce of the calling wallet unusable. Cancelling twice is no error.
    function cancel(bytes32 nonce) external {
        tokens[msg.sender][nonce] = EXHAUSTED;
        emit NonceSubmitted(msg.sender, nonce, EXHAUSTED);
    }
}
