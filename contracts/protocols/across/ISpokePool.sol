// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice What a fill is about. Accounts and tokens are addresses padded to 32 bytes, as the protocol has them since it
/// reaches chains with longer addresses.
struct RelayData {
    bytes32 depositor;
    bytes32 recipient;
    bytes32 exclusiveRelayer;
    bytes32 inputToken;
    bytes32 outputToken;
    uint256 inputAmount;
    uint256 outputAmount;
    uint256 originChainId;
    uint256 depositId;
    uint32 fillDeadline;
    uint32 exclusivityDeadline;
    bytes message;
}

/// @notice How a fill went beyond what it is about: updates that the depositor has signed, and whether it was a fast fill (0), a fast
/// fill in place of a requested slow one (1), or a slow one (2).
struct FillInfo {
    bytes32 updatedRecipient;
    bytes32 updatedMessageHash;
    uint256 updatedOutputAmount;
    uint8 fillType;
}

/// @notice The part of Across's spoke pool that a depositor, a relayer and a reader use.
interface ISpokePool {
    event FundsDeposited(
        bytes32 inputToken,
        bytes32 outputToken,
        uint256 inputAmount,
        uint256 outputAmount,
        uint256 indexed destinationChainId,
        uint256 indexed depositId,
        uint32 quoteTimestamp,
        uint32 fillDeadline,
        uint32 exclusivityDeadline,
        bytes32 indexed depositor,
        bytes32 recipient,
        bytes32 exclusiveRelayer,
        bytes message
    );

    event FilledRelay(
        bytes32 inputToken,
        bytes32 outputToken,
        uint256 inputAmount,
        uint256 outputAmount,
        uint256 repaymentChainId,
        uint256 indexed originChainId,
        uint256 indexed depositId,
        uint32 fillDeadline,
        uint32 exclusivityDeadline,
        bytes32 exclusiveRelayer,
        bytes32 indexed relayer,
        bytes32 depositor,
        bytes32 recipient,
        bytes32 messageHash,
        FillInfo fillInfo
    );

    /// @notice A deposit that nobody filled in time went back to its depositor.
    event DepositRefunded(uint256 indexed depositId, bytes32 indexed depositor, uint256 amount);

    /// @notice A deposit for no token at all.
    error InvalidOutputToken();
    error InvalidQuoteTimestamp();
    error InvalidFillDeadline();
    /// @notice Exclusivity for nobody.
    error InvalidExclusiveRelayer();
    error MsgValueDoesNotMatchInputAmount();
    error ExpiredFillDeadline();
    error RelayFilled();
    error NotExclusiveRelayer();
    error NotRefundable();

    function depositV3(
        address depositor,
        address recipient,
        address inputToken,
        address outputToken,
        uint256 inputAmount,
        uint256 outputAmount,
        uint256 destinationChainId,
        address exclusiveRelayer,
        uint32 quoteTimestamp,
        uint32 fillDeadline,
        uint32 exclusivityDeadline,
        bytes calldata message
    ) external payable;

    function fillRelay(RelayData calldata relayData, uint256 repaymentChainId, bytes32 repaymentAddress) external;

    /// @notice Sends an unfilled deposit back to its depositor once its deadline has passed; anybody may call it, and
    /// the hub before. The real protocol refunds through its hub alone.
    function refund(RelayData calldata relayData, uint256 destinationChainId) external;

    /// @notice 0 unfilled, 1 slow fill requested, 2 filled.
    function fillStatuses(bytes32 relayHash) external view returns (uint256);

    function getV3RelayHash(RelayData calldata relayData) external view returns (bytes32);

    function numberOfDeposits() external view returns (uint32);

    function wrappedNativeToken() external view returns (address);
}
