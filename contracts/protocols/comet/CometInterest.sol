// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {CometMath} from "./CometMath.sol";
import {CometStorage} from "./CometStorage.sol";
import {TotalsBasic, UserBasic} from "./CometTypes.sol";

/// @notice How base balances grow: utilisation gives the rates, rates and time move the indices, and the indices turn principals
/// into present values. Rewards have indices of their own, which move by a fixed speed shared by all principals of a side.
abstract contract CometInterest is CometStorage {
    using CometMath for uint256;
    using CometMath for int256;

    /// @notice Borrowed part of what is supplied, 1e18-scaled, as of the last accrual. Zero when nothing is supplied.
    function getUtilization() public view returns (uint256) {
        TotalsBasic storage totals = totalsBasic;
        uint256 supplied = CometMath.presentAmount(totals.baseSupplyIndex, totals.totalSupplyBase);
        uint256 borrowed = CometMath.presentAmount(totals.baseBorrowIndex, totals.totalBorrowBase);
        return supplied == 0 ? 0 : borrowed * factorScale / supplied;
    }

    /// @notice Rate per second for suppliers at that utilisation; both 1e18-scaled.
    function getSupplyRate(uint256 utilization) public view returns (uint64) {
        return _rate(
            utilization,
            supplyKink,
            supplyPerSecondInterestRateBase,
            supplyPerSecondInterestRateSlopeLow,
            supplyPerSecondInterestRateSlopeHigh
        );
    }

    /// @notice Rate per second for borrowers at that utilisation; both 1e18-scaled.
    function getBorrowRate(uint256 utilization) public view returns (uint64) {
        return _rate(
            utilization,
            borrowKink,
            borrowPerSecondInterestRateBase,
            borrowPerSecondInterestRateSlopeLow,
            borrowPerSecondInterestRateSlopeHigh
        );
    }

    /// @notice All base supplied, with interest up to now.
    function totalSupply() external view returns (uint256) {
        (uint64 supplyIndex,) = _indicesNow();
        return CometMath.presentAmount(supplyIndex, totalsBasic.totalSupplyBase);
    }

    /// @notice All base borrowed, with interest up to now.
    function totalBorrow() external view returns (uint256) {
        (, uint64 borrowIndex) = _indicesNow();
        return CometMath.presentAmount(borrowIndex, totalsBasic.totalBorrowBase);
    }

    /// @notice Base that the account has supplied, with interest up to now; zero for a borrower.
    function balanceOf(address account) public view returns (uint256) {
        int104 principal = userBasic[account].principal;
        if (principal <= 0) return 0;
        (uint64 supplyIndex,) = _indicesNow();
        return CometMath.presentAmount(supplyIndex, uint104(principal));
    }

    /// @notice Base that the account owes, with interest up to now; zero for a supplier.
    function borrowBalanceOf(address account) public view returns (uint256) {
        int104 principal = userBasic[account].principal;
        if (principal >= 0) return 0;
        (, uint64 borrowIndex) = _indicesNow();
        return CometMath.presentAmount(borrowIndex, uint104(-principal));
    }

    /// @notice What the market holds beyond what it owes to suppliers, its own claims counted in; below zero after bad debt.
    function getReserves() public view returns (int256) {
        (uint64 supplyIndex, uint64 borrowIndex) = _indicesNow();
        uint256 supplied = CometMath.presentAmount(supplyIndex, totalsBasic.totalSupplyBase);
        uint256 borrowed = CometMath.presentAmount(borrowIndex, totalsBasic.totalBorrowBase);
        uint256 held = IERC20(baseToken).balanceOf(address(this));
        return held.toInt256() - supplied.toInt256() + borrowed.toInt256();
    }

    /// @notice Brings interest and the account's rewards up to now.
    function accrueAccount(address account) external {
        _accrue();
        _setPrincipal(account, userBasic[account].principal);
    }

    /// @dev Moves all four indices up to now. The rewards of a side stand still while its principal is below the minimum.
    function _accrue() internal {
        TotalsBasic storage totals = totalsBasic;
        uint256 elapsed = block.timestamp - totals.lastAccrualTime;
        if (elapsed == 0) return;
        (totals.baseSupplyIndex, totals.baseBorrowIndex) = _indicesNow();
        totals.trackingSupplyIndex += _trackingGrowth(baseTrackingSupplySpeed, elapsed, totals.totalSupplyBase);
        totals.trackingBorrowIndex += _trackingGrowth(baseTrackingBorrowSpeed, elapsed, totals.totalBorrowBase);
        totals.lastAccrualTime = uint40(block.timestamp);
    }

    /// @dev Gives the account a new principal, after crediting the rewards that the old one earned. Totals are the caller's.
    function _setPrincipal(address account, int104 principal) internal {
        UserBasic storage user = userBasic[account];
        TotalsBasic storage totals = totalsBasic;
        int104 old = user.principal;
        uint256 index = old >= 0 ? totals.trackingSupplyIndex : totals.trackingBorrowIndex;
        uint256 size = old >= 0 ? uint104(old) : uint104(-old);
        uint256 earned = size * (index - user.baseTrackingIndex) / trackingIndexScale;
        user.baseTrackingAccrued += (earned / (_baseScale / baseAccrualScale)).toUint64();
        user.principal = principal;
        user.baseTrackingIndex = principal >= 0 ? totals.trackingSupplyIndex : totals.trackingBorrowIndex;
    }

    /// @dev What a principal is worth at the indices of the last accrual; negative for a debt.
    function _presentValue(int104 principal) internal view returns (int256) {
        return principal >= 0
            ? CometMath.presentAmount(totalsBasic.baseSupplyIndex, uint104(principal)).toInt256()
            : -CometMath.presentAmount(totalsBasic.baseBorrowIndex, uint104(-principal)).toInt256();
    }

    /// @dev The principal of a present value at the indices of the last accrual, rounded in the market's favour.
    function _principalValue(int256 presentValue) internal view returns (int104) {
        return presentValue >= 0
            ? CometMath.toInt104(CometMath.supplyPrincipal(totalsBasic.baseSupplyIndex, uint256(presentValue)))
            : -CometMath.toInt104(CometMath.borrowPrincipalUp(totalsBasic.baseBorrowIndex, uint256(-presentValue)));
    }

    /// @dev The supply and borrow index as an accrual at this moment would leave them: simple interest since the last one.
    function _indicesNow() private view returns (uint64 supplyIndex, uint64 borrowIndex) {
        TotalsBasic storage totals = totalsBasic;
        (supplyIndex, borrowIndex) = (totals.baseSupplyIndex, totals.baseBorrowIndex);
        uint256 elapsed = block.timestamp - totals.lastAccrualTime;
        if (elapsed == 0) return (supplyIndex, borrowIndex);
        uint256 utilization = getUtilization();
        supplyIndex += CometMath.mulFactor(supplyIndex, getSupplyRate(utilization) * elapsed).toUint64();
        borrowIndex += CometMath.mulFactor(borrowIndex, getBorrowRate(utilization) * elapsed).toUint64();
    }

    function _trackingGrowth(uint256 speed, uint256 elapsed, uint104 total) private view returns (uint64) {
        return total < baseMinForRewards ? 0 : (speed * elapsed * _baseScale / total).toUint64();
    }

    /// @dev A curve with one kink: `low` is its slope up to there, `high` from there on.
    function _rate(uint256 utilization, uint256 kink, uint256 base, uint256 low, uint256 high)
        private
        pure
        returns (uint64)
    {
        if (utilization <= kink) return (base + CometMath.mulFactor(low, utilization)).toUint64();
        return (base + CometMath.mulFactor(low, kink) + CometMath.mulFactor(high, utilization - kink)).toUint64();
    }
}
