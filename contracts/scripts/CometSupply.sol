// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Received} from "./Received.sol";

/// @notice The part of a Comet market that scripts use.
interface ICometActions {
    function supply(address asset, uint256 amount) external;
    function withdraw(address asset, uint256 amount) external;
}

/// @title CometSupply
/// @notice Script: supplies an asset of the wallet to a Comet market.
contract CometSupply {
    using SafeERC20 for IERC20;

    /// @param cappedMax Supply at most what the wallet holds, instead of failing when it holds less
    function supply(address comet, address asset, uint256 amount, bool cappedMax) external {
        if (cappedMax) amount = Math.min(amount, IERC20(asset).balanceOf(address(this)));
        _supply(comet, asset, amount);
    }

    /// @notice Supplies exactly what earlier scripts of this transaction brought of the asset.
    /// @param besides Supplied on top, out of what the wallet held before
    function supplyReceived(address comet, address asset, uint256 besides) external {
        _supply(comet, asset, Received.take(asset) + besides);
    }

    function _supply(address comet, address asset, uint256 amount) private {
        IERC20(asset).forceApprove(comet, amount);
        ICometActions(comet).supply(asset, amount);
    }
}
