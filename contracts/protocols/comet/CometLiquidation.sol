// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {CometMath} from "./CometMath.sol";
import {CometPositions} from "./CometPositions.sol";
import {AssetInfo, LiquidatorPoints} from "./CometTypes.sol";

/// @notice How the market takes over accounts whose debt outgrew their collateral, and sells what it seized.
abstract contract CometLiquidation is CometPositions {
    using CometMath for uint256;
    using CometMath for int256;

    /// @notice How much of a collateral asset `baseAmount` buys. The discount is the liquidation penalty of the asset times the
    /// store front price factor.
    function quoteCollateral(address asset, uint256 baseAmount) public view returns (uint256) {
        AssetInfo memory info = getAssetInfoByAddress(asset);
        uint256 discount = CometMath.mulFactor(storeFrontPriceFactor, factorScale - info.liquidationFactor);
        uint256 price = CometMath.mulFactor(getPrice(info.priceFeed), factorScale - discount);
        return getPrice(baseTokenPriceFeed) * baseAmount * info.scale / price / _baseScale;
    }

    /// @notice What the market holds of a collateral asset beyond what belongs to accounts.
    function getCollateralReserves(address asset) public view returns (uint256) {
        return IERC20(asset).balanceOf(address(this)) - totalsCollateral[asset].totalSupplyAsset;
    }

    function _absorbAll(address absorber, address[] calldata accounts) internal {
        uint256 gasAtStart = gasleft();
        _accrue();
        for (uint256 i = 0; i < accounts.length; i++) _absorb(absorber, accounts[i]);
        LiquidatorPoints storage points = liquidatorPoints[absorber];
        points.numAbsorbs++;
        points.numAbsorbed += accounts.length.toUint64();
        points.approxSpend += ((gasAtStart - gasleft()) * block.basefee).toUint128();
    }

    /// @dev Seizes all collateral and credits its value at the liquidation factors; a debt that is still left is forgiven.
    function _absorb(address absorber, address account) private {
        if (!isLiquidatable(account)) revert NotLiquidatable();
        int104 oldPrincipal = userBasic[account].principal;
        int256 oldBalance = _presentValue(oldPrincipal);
        uint256 basePrice = getPrice(baseTokenPriceFeed);

        uint256 credit = CometMath.divPrice(_seize(absorber, account), basePrice, _baseScale);
        int256 newBalance = oldBalance + credit.toInt256();
        if (newBalance < 0) newBalance = 0;
        int104 newPrincipal = _principalValue(newBalance);
        (uint104 repaid, uint104 supplied) = CometMath.repayAndSupply(oldPrincipal, newPrincipal);
        totalsBasic.totalSupplyBase += supplied;
        totalsBasic.totalBorrowBase -= repaid;
        _setPrincipal(account, newPrincipal);

        uint256 paidOut = (newBalance - oldBalance).toUint256();
        emit AbsorbDebt(absorber, account, paidOut, CometMath.mulPrice(paidOut, basePrice, _baseScale));
        if (newPrincipal > 0) emit Transfer(address(0), account, _supplyValue(uint104(newPrincipal)));
    }

    /// @dev Moves the account's collateral into the reserves; returns its value times the liquidation factors.
    function _seize(address absorber, address account) private returns (uint256 credited) {
        uint16 assetsIn = userBasic[account].assetsIn;
        for (uint8 i = 0; i < numAssets; i++) {
            if (!_isIn(assetsIn, i)) continue;
            AssetInfo memory info = getAssetInfo(i);
            uint128 amount = userCollateral[account][info.asset].balance;
            _setCollateral(account, info, 0);
            totalsCollateral[info.asset].totalSupplyAsset -= amount;
            uint256 value = CometMath.mulPrice(amount, getPrice(info.priceFeed), info.scale);
            credited += CometMath.mulFactor(value, info.liquidationFactor);
            emit AbsorbCollateral(absorber, account, info.asset, amount, value);
        }
    }

    function _buyCollateral(address asset, uint256 minAmount, uint256 baseAmount, address recipient) internal {
        int256 reserves = getReserves();
        if (reserves >= 0 && uint256(reserves) >= targetReserves) revert NotForSale();
        baseAmount = _pull(baseToken, msg.sender, baseAmount);
        uint256 amount = quoteCollateral(asset, baseAmount);
        if (amount < minAmount) revert TooMuchSlippage();
        if (amount > getCollateralReserves(asset)) revert InsufficientReserves();
        _push(asset, recipient, amount);
        emit BuyCollateral(msg.sender, asset, baseAmount, amount);
    }
}
