// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Received} from "./Received.sol";

/// @title VaultActions
/// @notice Script: deposits the asset of an ERC-4626 vault out of the wallet, and withdraws it again.
contract VaultActions {
    using SafeERC20 for IERC20;

    /// @param cappedMax Deposit at most what the wallet holds, instead of failing when it holds less
    function deposit(IERC4626 vault, uint256 amount, bool cappedMax) external {
        IERC20 asset = IERC20(vault.asset());
        if (cappedMax) amount = Math.min(amount, asset.balanceOf(address(this)));
        _deposit(vault, asset, amount);
    }

    /// @notice Deposits exactly what earlier scripts of this transaction brought of the asset.
    /// @param besides Deposited on top, out of what the wallet held before
    function depositReceived(IERC4626 vault, uint256 besides) external {
        IERC20 asset = IERC20(vault.asset());
        _deposit(vault, asset, Received.take(address(asset)) + besides);
    }

    /// @param amount Smallest units of the asset; 2^256-1 redeems every share
    function withdraw(IERC4626 vault, uint256 amount) external {
        IERC20 asset = IERC20(vault.asset());
        uint256 before = asset.balanceOf(address(this));
        if (amount == type(uint256).max) vault.redeem(vault.balanceOf(address(this)), address(this), address(this));
        else vault.withdraw(amount, address(this), address(this));
        Received.addSince(address(asset), before);
    }

    function _deposit(IERC4626 vault, IERC20 asset, uint256 amount) private {
        asset.forceApprove(address(vault), amount);
        vault.deposit(amount, address(this));
    }
}
