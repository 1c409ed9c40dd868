// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

interface IAcrossDeposits {
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
}

/// @notice A deposit for the same wallet on another network.
struct DepositParams {
    address spokePool;
    address inputToken;
    address outputToken;
    uint256 inputAmount;
    uint256 outputAmount;
    uint256 destinationChainId;
    uint32 quoteTimestamp;
    uint32 fillDeadline;
}

/// @title AcrossDeposit
/// @notice Script: bridges a token of the wallet to the wallet of the same address on another network.
contract AcrossDeposit {
    using SafeERC20 for IERC20;

    function deposit(DepositParams calldata params) external {
        IERC20(params.inputToken).forceApprove(params.spokePool, params.inputAmount);
        IAcrossDeposits(params.spokePool).depositV3(
            address(this),
            address(this),
            params.inputToken,
            params.outputToken,
            params.inputAmount,
            params.outputAmount,
            params.destinationChainId,
            address(0),
            params.quoteTimestamp,
            params.fillDeadline,
            0,
            ""
        );
    }
}
