// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IAavePool} from "../interfaces/IAave.sol";
import {Received} from "./Received.sol";

/// @title AaveActions
/// @notice Script: supplies an asset of the wallet to an Aave V3 pool, and withdraws it again.
contract AaveActions {
    using SafeERC20 for IERC20;

    /// @param cappedMax Supply at most what the wallet holds, instead of failing when it holds less
    function supply(IAavePool pool, address asset, uint256 amount, bool cappedMax) external {
        if (cappedMax) amount = Math.min(amount, IERC20(asset).balanceOf(address(this)));
        _supply(pool, asset, amount);
    }

    /// @notice Supplies exactly what earlier scripts of this transaction brought of the asset.
    /// @param besides Supplied on top, out of what the wallet held before
    function supplyReceived(IAavePool pool, address asset, uint256 besides) external {
        _supply(pool, asset, Received.take(asset) + besides);
    }

    /// @param amount Smallest units; 2^256-1 withdraws the whole position
    function withdraw(IAavePool pool, address asset, uint256 amount) external {
        uint256 before = IERC20(asset).balanceOf(address(this));
        pool.withdraw(asset, amount, address(this));
        Received.addSince(asset, before);
    }

    function _supply(IAavePool pool, address asset, uint256 amount) private {
        IERC20(asset).forceApprove(address(pool), amount);
        pool.supply(asset, amount, address(this), 0);
    }
}
