// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {CometLiquidation} from "./CometLiquidation.sol";
import {CometMath} from "./CometMath.sol";
import {CometPermission} from "./CometPermission.sol";
import {CometStorage} from "./CometStorage.sol";
import {AssetConfig, CometConfig} from "./CometTypes.sol";

/// @notice A lending market with the external interface and the published accounting of Compound III: one base asset that earns
/// interest and is borrowed, against collateral assets that earn none. Here are its entry points: who may, is it paused, which
/// of the two kinds of asset; what they do is in the contracts it is made of. Unlike the original it is one contract, without
/// proxy and extension, and its parameters cannot be changed.
contract Comet is CometLiquidation, CometPermission {
    using CometMath for uint256;

    uint8 private constant PAUSE_SUPPLY = 1 << 0;
    uint8 private constant PAUSE_TRANSFER = 1 << 1;
    uint8 private constant PAUSE_WITHDRAW = 1 << 2;
    uint8 private constant PAUSE_ABSORB = 1 << 3;
    uint8 private constant PAUSE_BUY = 1 << 4;

    constructor(CometConfig memory config, AssetConfig[] memory assets) CometStorage(config, assets) {}

    modifier unlessPaused(uint8 flag) {
        if (_isPaused(flag)) revert Paused();
        _;
    }

    modifier onlyGovernor() {
        if (msg.sender != governor) revert Unauthorized();
        _;
    }

    // Supply: base pays the receiver's debt first. The largest number as an amount of base means the whole debt.

    function supply(address asset, uint256 amount) external {
        _supply(msg.sender, msg.sender, asset, amount);
    }

    function supplyTo(address dst, address asset, uint256 amount) external {
        _supply(msg.sender, dst, asset, amount);
    }

    function supplyFrom(address from, address dst, address asset, uint256 amount) external {
        _supply(from, dst, asset, amount);
    }

    // Withdraw: base beyond what is supplied is borrowed. The largest number as an amount of base means all that is supplied.

    function withdraw(address asset, uint256 amount) external {
        _withdraw(msg.sender, msg.sender, asset, amount);
    }

    function withdrawTo(address to, address asset, uint256 amount) external {
        _withdraw(msg.sender, to, asset, amount);
    }

    function withdrawFrom(address src, address to, address asset, uint256 amount) external {
        _withdraw(src, to, asset, amount);
    }

    // Transfer: like a withdrawal and a supply in one, so that the sender may borrow and the receiver may repay by it.

    function transfer(address dst, uint256 amount) external returns (bool) {
        _transfer(msg.sender, dst, baseToken, amount);
        return true;
    }

    function transferFrom(address src, address dst, uint256 amount) external returns (bool) {
        _transfer(src, dst, baseToken, amount);
        return true;
    }

    function transferAsset(address dst, address asset, uint256 amount) external {
        _transfer(msg.sender, dst, asset, amount);
    }

    function transferAssetFrom(address src, address dst, address asset, uint256 amount) external {
        _transfer(src, dst, asset, amount);
    }

    // Liquidation.

    /// @notice Takes over accounts that are liquidatable; reverts `NotLiquidatable` when one of them is not.
    function absorb(address absorber, address[] calldata accounts) external unlessPaused(PAUSE_ABSORB) {
        _absorbAll(absorber, accounts);
    }

    /// @notice Sells seized collateral for base while the reserves are below their target.
    function buyCollateral(address asset, uint256 minAmount, uint256 baseAmount, address recipient)
        external
        nonReentrant
        unlessPaused(PAUSE_BUY)
    {
        _buyCollateral(asset, minAmount, baseAmount, recipient);
    }

    // Governance.

    /// @notice Stops or starts each kind of action; the governor and the pause guardian may.
    function pause(bool supplyPaused, bool transferPaused, bool withdrawPaused, bool absorbPaused, bool buyPaused)
        external
    {
        if (msg.sender != governor && msg.sender != pauseGuardian) revert Unauthorized();
        totalsBasic.pauseFlags = (supplyPaused ? PAUSE_SUPPLY : 0) | (transferPaused ? PAUSE_TRANSFER : 0)
            | (withdrawPaused ? PAUSE_WITHDRAW : 0) | (absorbPaused ? PAUSE_ABSORB : 0) | (buyPaused ? PAUSE_BUY : 0);
        emit PauseAction(supplyPaused, transferPaused, withdrawPaused, absorbPaused, buyPaused);
    }

    /// @notice Takes reserves out of the market.
    function withdrawReserves(address to, uint256 amount) external onlyGovernor {
        int256 reserves = getReserves();
        if (reserves < 0 || amount > uint256(reserves)) revert InsufficientReserves();
        _push(baseToken, to, amount);
        emit WithdrawReserves(to, amount);
    }

    /// @notice Lets `manager` spend tokens that the market holds.
    function approveThis(address manager, address asset, uint256 amount) external onlyGovernor {
        IERC20(asset).approve(manager, amount);
    }

    function isSupplyPaused() external view returns (bool) {
        return _isPaused(PAUSE_SUPPLY);
    }

    function isTransferPaused() external view returns (bool) {
        return _isPaused(PAUSE_TRANSFER);
    }

    function isWithdrawPaused() external view returns (bool) {
        return _isPaused(PAUSE_WITHDRAW);
    }

    function isAbsorbPaused() external view returns (bool) {
        return _isPaused(PAUSE_ABSORB);
    }

    function isBuyPaused() external view returns (bool) {
        return _isPaused(PAUSE_BUY);
    }

    function _supply(address from, address dst, address asset, uint256 amount)
        private
        nonReentrant
        unlessPaused(PAUSE_SUPPLY)
    {
        if (!hasPermission(from, msg.sender)) revert Unauthorized();
        if (asset != baseToken) return _supplyCollateral(from, dst, asset, amount.toUint128());
        _supplyBase(from, dst, amount == type(uint256).max ? borrowBalanceOf(dst) : amount);
    }

    function _withdraw(address src, address to, address asset, uint256 amount)
        private
        nonReentrant
        unlessPaused(PAUSE_WITHDRAW)
    {
        if (!hasPermission(src, msg.sender)) revert Unauthorized();
        if (asset != baseToken) return _withdrawCollateral(src, to, asset, amount.toUint128());
        _withdrawBase(src, to, amount == type(uint256).max ? balanceOf(src) : amount);
    }

    function _transfer(address src, address dst, address asset, uint256 amount)
        private
        nonReentrant
        unlessPaused(PAUSE_TRANSFER)
    {
        if (!hasPermission(src, msg.sender)) revert Unauthorized();
        if (src == dst) revert NoSelfTransfer();
        if (asset != baseToken) return _transferCollateral(src, dst, asset, amount.toUint128());
        _transferBase(src, dst, amount == type(uint256).max ? balanceOf(src) : amount);
    }

    function _isPaused(uint8 flag) private view returns (bool) {
        return totalsBasic.pauseFlags & flag != 0;
    }
}
