// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @notice What a fill is about, while accounts were addresses.
struct OldRelayData {
    address depositor;
    address recipient;
    address exclusiveRelayer;
    address inputToken;
    address outputToken;
    uint256 inputAmount;
    uint256 outputAmount;
    uint256 originChainId;
    uint32 depositId;
    uint32 fillDeadline;
    uint32 exclusivityDeadline;
    bytes message;
}

struct OldFillInfo {
    address updatedRecipient;
    bytes updatedMessage;
    uint256 updatedOutputAmount;
    uint8 fillType;
}

struct OldDeposit {
    address depositor;
    address recipient;
    address inputToken;
    address outputToken;
    uint256 inputAmount;
    uint256 outputAmount;
    uint256 destinationChainId;
    address exclusiveRelayer;
    uint32 quoteTimestamp;
    uint32 fillDeadline;
    uint32 exclusivityDeadline;
    bytes message;
}

/// @notice An Across spoke pool of the time before accounts had 32 bytes: its own names for events and fills.
contract OldSpokePool {
    using SafeERC20 for IERC20;

    event V3FundsDeposited(
        address inputToken,
        address outputToken,
        uint256 inputAmount,
        uint256 outputAmount,
        uint256 indexed destinationChainId,
        uint32 indexed depositId,
        uint32 quoteTimestamp,
        uint32 fillDeadline,
        uint32 exclusivityDeadline,
        address indexed depositor,
        address recipient,
        address exclusiveRelayer,
        bytes message
    );
    event FilledV3Relay(
        address inputToken,
        address outputToken,
        uint256 inputAmount,
        uint256 outputAmount,
        uint256 repaymentChainId,
        uint256 indexed originChainId,
        uint32 indexed depositId,
        uint32 fillDeadline,
        uint32 exclusivityDeadline,
        address exclusiveRelayer,
        address indexed relayer,
        address depositor,
        address recipient,
        bytes message,
        OldFillInfo fillInfo
    );

    error RelayFilled();
    error ExpiredFillDeadline();

    uint32 public numberOfDeposits;
    mapping(bytes32 relayHash => uint256) public fillStatuses;

    function depositV3(
        address,
        address,
        address,
        address,
        uint256,
        uint256,
        uint256,
        address,
        uint32,
        uint32,
        uint32,
        bytes calldata
    ) external payable {
        OldDeposit memory d = abi.decode(bytes.concat(bytes32(uint256(32)), msg.data[4:]), (OldDeposit));
        IERC20(d.inputToken).safeTransferFrom(msg.sender, address(this), d.inputAmount);
        emit V3FundsDeposited(
            d.inputToken,
            d.outputToken,
            d.inputAmount,
            d.outputAmount,
            d.destinationChainId,
            numberOfDeposits++,
            d.quoteTimestamp,
            d.fillDeadline,
            d.exclusivityDeadline,
            d.depositor,
            d.recipient,
            d.exclusiveRelayer,
            d.message
        );
    }

    function fillV3Relay(OldRelayData calldata relay, uint256 repaymentChainId) external {
        if (relay.fillDeadline < block.timestamp) revert ExpiredFillDeadline();
        bytes32 relayHash = keccak256(abi.encode(relay, block.chainid));
        if (fillStatuses[relayHash] == 2) revert RelayFilled();
        fillStatuses[relayHash] = 2;
        emit FilledV3Relay(
            relay.inputToken,
            relay.outputToken,
            relay.inputAmount,
            relay.outputAmount,
            repaymentChainId,
            relay.originChainId,
            relay.depositId,
            relay.fillDeadline,
            relay.exclusivityDeadline,
            relay.exclusiveRelayer,
            msg.sender,
            relay.depositor,
            relay.recipient,
            relay.message,
            OldFillInfo(relay.recipient, relay.message, relay.outputAmount, 0)
        );
        IERC20(relay.outputToken).safeTransferFrom(msg.sender, relay.recipient, relay.outputAmount);
    }
}
