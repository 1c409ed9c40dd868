// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {CometInterest} from "./CometInterest.sol";
import {CometMath} from "./CometMath.sol";
import {AssetInfo} from "./CometTypes.sol";

/// @notice How accounts move: supply and repay, withdraw and borrow, transfer, of the base asset and of collateral; and when an
/// account is sound. Who may do it, and whether it is paused, is checked by the entry points.
abstract contract CometPositions is CometInterest {
    using CometMath for uint256;
    using CometMath for int256;

    /// @notice Whether the collateral carries the debt at the borrow collateral factors, as of the last accrual.
    function isBorrowCollateralized(address account) public view returns (bool) {
        return _liquidity(account, false) >= 0;
    }

    /// @notice Whether the debt outgrew the collateral at the liquidation collateral factors, as of the last accrual.
    function isLiquidatable(address account) public view returns (bool) {
        return _liquidity(account, true) < 0;
    }

    /// @dev Pays debt first; what is over becomes supply.
    function _supplyBase(address from, address dst, uint256 amount) internal {
        amount = _pull(baseToken, from, amount);
        _accrue();
        uint104 supplied = _credit(dst, amount);
        emit Supply(from, dst, amount);
        if (supplied > 0) emit Transfer(address(0), dst, _supplyValue(supplied));
    }

    /// @dev Whether the market takes the asset shows only when it has arrived.
    function _supplyCollateral(address from, address dst, address asset, uint128 amount) internal {
        amount = _pull(asset, from, amount).toUint128();
        AssetInfo memory info = getAssetInfoByAddress(asset);
        uint128 total = totalsCollateral[asset].totalSupplyAsset + amount;
        if (total > info.supplyCap) revert SupplyCapExceeded();
        totalsCollateral[asset].totalSupplyAsset = total;
        _setCollateral(dst, info, userCollateral[dst][asset].balance + amount);
        emit SupplyCollateral(from, dst, asset, amount);
    }

    /// @dev Takes from supply first; what is over is borrowed.
    function _withdrawBase(address src, address to, uint256 amount) internal {
        _accrue();
        (uint104 withdrawn, int256 balance) = _debit(src, amount);
        _requireSoundDebt(src, balance);
        _push(baseToken, to, amount);
        emit Withdraw(src, to, amount);
        if (withdrawn > 0) emit Transfer(src, address(0), _supplyValue(withdrawn));
    }

    /// @dev The balance is looked at before the asset: nobody has any of one that is not in the market.
    function _withdrawCollateral(address src, address to, address asset, uint128 amount) internal {
        uint128 left = userCollateral[src][asset].balance - amount;
        totalsCollateral[asset].totalSupplyAsset -= amount;
        _setCollateral(src, getAssetInfoByAddress(asset), left);
        if (!isBorrowCollateralized(src)) revert NotCollateralized();
        _push(asset, to, amount);
        emit WithdrawCollateral(src, to, asset, amount);
    }

    function _transferBase(address src, address dst, uint256 amount) internal {
        _accrue();
        (uint104 withdrawn, int256 balance) = _debit(src, amount);
        uint104 supplied = _credit(dst, amount);
        _requireSoundDebt(src, balance);
        if (withdrawn > 0) emit Transfer(src, address(0), _supplyValue(withdrawn));
        if (supplied > 0) emit Transfer(address(0), dst, _supplyValue(supplied));
    }

    /// @dev Looks at the balance first, as a withdrawal does.
    function _transferCollateral(address src, address dst, address asset, uint128 amount) internal {
        uint128 left = userCollateral[src][asset].balance - amount;
        AssetInfo memory info = getAssetInfoByAddress(asset);
        _setCollateral(src, info, left);
        _setCollateral(dst, info, userCollateral[dst][asset].balance + amount);
        if (!isBorrowCollateralized(src)) revert NotCollateralized();
        emit TransferCollateral(src, dst, asset, amount);
    }

    /// @dev Adds a present value to an account's base side and to the totals; returns the principal that became supply.
    function _credit(address account, uint256 amount) private returns (uint104 supplied) {
        int104 old = userBasic[account].principal;
        int104 principal = _principalValue(_presentValue(old) + amount.toInt256());
        uint104 repaid;
        (repaid, supplied) = CometMath.repayAndSupply(old, principal);
        totalsBasic.totalSupplyBase += supplied;
        totalsBasic.totalBorrowBase -= repaid;
        _setPrincipal(account, principal);
    }

    /// @dev Takes a present value from an account's base side and from the totals; returns the principal that was supply, and
    /// the present value that the account is left with.
    function _debit(address account, uint256 amount) private returns (uint104 withdrawn, int256 balance) {
        int104 old = userBasic[account].principal;
        balance = _presentValue(old) - amount.toInt256();
        int104 principal = _principalValue(balance);
        uint104 borrowed;
        (withdrawn, borrowed) = CometMath.withdrawAndBorrow(old, principal);
        totalsBasic.totalSupplyBase -= withdrawn;
        totalsBasic.totalBorrowBase += borrowed;
        _setPrincipal(account, principal);
    }

    /// @dev A debt must be worth the trouble and be carried by collateral.
    function _requireSoundDebt(address account, int256 balance) private view {
        if (balance >= 0) return;
        if (uint256(-balance) < baseBorrowMin) revert BorrowTooSmall();
        if (!isBorrowCollateralized(account)) revert NotCollateralized();
    }

    /// @dev Sets a collateral balance and the account's bit for that asset.
    function _setCollateral(address account, AssetInfo memory info, uint128 balance) internal {
        userCollateral[account][info.asset].balance = balance;
        uint16 bit = uint16(1) << info.offset;
        if (balance == 0) userBasic[account].assetsIn &= ~bit;
        else userBasic[account].assetsIn |= bit;
    }

    function _isIn(uint16 assetsIn, uint8 offset) internal pure returns (bool) {
        return assetsIn & (uint16(1) << offset) != 0;
    }

    /// @dev Value of the collateral, each asset times its factor, less the debt, in the scale of the prices. Stops counting as
    /// soon as it is not negative, so that the price of an asset that is not needed is not asked for.
    function _liquidity(address account, bool atLiquidation) private view returns (int256 liquidity) {
        int104 principal = userBasic[account].principal;
        if (principal >= 0) return 0;
        liquidity = CometMath.signedMulPrice(_presentValue(principal), getPrice(baseTokenPriceFeed), _baseScale);
        uint16 assetsIn = userBasic[account].assetsIn;
        for (uint8 i = 0; i < numAssets && liquidity < 0; i++) {
            if (!_isIn(assetsIn, i)) continue;
            AssetInfo memory info = getAssetInfo(i);
            uint256 factor = atLiquidation ? info.liquidateCollateralFactor : info.borrowCollateralFactor;
            uint256 balance = userCollateral[account][info.asset].balance;
            uint256 value = CometMath.mulPrice(balance, getPrice(info.priceFeed), info.scale);
            liquidity += CometMath.mulFactor(value, factor).toInt256();
        }
    }

    function _supplyValue(uint104 principal) internal view returns (uint256) {
        return CometMath.presentAmount(totalsBasic.baseSupplyIndex, principal);
    }

    /// @dev Takes tokens from an account; returns what arrived, which a token with a transfer fee makes less.
    function _pull(address asset, address from, uint256 amount) internal returns (uint256) {
        uint256 before = IERC20(asset).balanceOf(address(this));
        bool ok = _callToken(asset, abi.encodeCall(IERC20.transferFrom, (from, address(this), amount)));
        if (!ok) revert TransferInFailed();
        return IERC20(asset).balanceOf(address(this)) - before;
    }

    function _push(address asset, address to, uint256 amount) internal {
        if (!_callToken(asset, abi.encodeCall(IERC20.transfer, (to, amount)))) revert TransferOutFailed();
    }

    /// @dev False when the token answers `false`; a token that answers nothing, as USDT does, means yes.
    function _callToken(address asset, bytes memory data) private returns (bool) {
        (bool ok, bytes memory answer) = asset.call(data);
        if (!ok) {
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        }
        return answer.length == 0 || abi.decode(answer, (bool));
    }
}
