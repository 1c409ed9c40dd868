// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title SvcNonceManager
/// @notice Keeps, per wallet and nonce, the submission token of the last run. Nonces are 32 bytes without an order: a wallet can
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

    /// @dev Of nonces that were used or cancelled, a bit each, in the word of the first 31 bytes: 256 nonces that differ in the last byte
    /// alone take one slot of the chain. (Permit2 keeps its unordered nonces that way.)
    mapping(address wallet => mapping(bytes32 prefix => uint256 bits)) private used;
    /// @dev Of those that can be used again, the last token. Read for no others, since a slot that is read is a slot that the node keeps.
    mapping(address wallet => mapping(bytes32 nonce => bytes32 token)) private tokens;

    /// @notice What a nonce of a wallet has: `FREE`, `EXHAUSTED`, or the last submission token.
    function submissionTokenOf(address wallet, bytes32 nonce) public view returns (bytes32) {
        if (!_isUsed(wallet, nonce)) return FREE;
        bytes32 token = tokens[wallet][nonce];
        return token == FREE ? EXHAUSTED : token;
    }

    /// @notice Uses a nonce of the calling wallet. The first token of a nonce is the nonce itself.
    function submit(bytes32 nonce, bool isReplayable, bytes32 submissionToken) external {
        bytes32 stored = submissionTokenOf(msg.sender, nonce);
        if (stored == EXHAUSTED) revert NonReplayableNonce(msg.sender, nonce);
        if (nonce == FREE || nonce == EXHAUSTED) revert InvalidNonce(nonce);
        if (submissionToken == FREE || submissionToken == EXHAUSTED) {
            revert InvalidSubmissionToken(nonce, submissionToken);
        }
        bool first = stored == FREE && submissionToken == nonce;
        bool replay = stored != FREE && keccak256(abi.encodePacked(submissionToken)) == stored;
        if (!first && !replay) revert InvalidSubmissionToken(nonce, submissionToken);
        if (isReplayable) tokens[msg.sender][nonce] = submissionToken;
        else if (replay) delete tokens[msg.sender][nonce];
        _use(nonce);
        emit NonceSubmitted(msg.sender, nonce, submissionToken);
    }

    /// @notice Makes a nonce of the calling wallet unusable. Cancelling twice is no error.
    function cancel(bytes32 nonce) external {
        if (_isUsed(msg.sender, nonce)) delete tokens[msg.sender][nonce];
        _use(nonce);
        emit NonceSubmitted(msg.sender, nonce, EXHAUSTED);
    }

    function _isUsed(address wallet, bytes32 nonce) private view returns (bool) {
        return used[wallet][nonce >> 8] & _bitOf(nonce) != 0;
    }

    function _use(bytes32 nonce) private {
        used[msg.sender][nonce >> 8] |= _bitOf(nonce);
    }

    function _bitOf(bytes32 nonce) private pure returns (uint256) {
        return 1 << uint8(uint256(nonce));
    }
}
