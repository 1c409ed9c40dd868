// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice What the lens asks of a Comet market.
interface ICometReads {
    function totalSupply() external view returns (uint256);
    function totalBorrow() external view returns (uint256);
    function getUtilization() external view returns (uint256);
    function getSupplyRate(uint256 utilization) external view returns (uint64);
    function getBorrowRate(uint256 utilization) external view returns (uint64);
    function baseTrackingSupplySpeed() external view returns (uint256);
    function baseTrackingBorrowSpeed() external view returns (uint256);
    function trackingIndexScale() external view returns (uint256);
    function balanceOf(address account) external view returns (uint256);
    function borrowBalanceOf(address account) external view returns (uint256);
    function collateralBalanceOf(address account, address asset) external view returns (uint128);
    function totalsCollateral(address asset) external view returns (uint128 totalSupplyAsset, uint128 reserved);
}

/// @notice What the lens asks of the rewards contract. Not a view there: it accrues before it answers.
interface ICometRewardReads {
    struct RewardOwed {
        address token;
        uint256 owed;
    }

    function getRewardOwed(address comet, address account) external returns (RewardOwed memory);
}

/// @notice Reads a Comet market and one account's position in it with a single call, chained reads included
/// (the rates depend on the utilization), so that a snapshot of a network needs one round trip.
contract CometLens {
    struct Market {
        uint256 totalSupply;
        uint256 totalBorrow;
        uint256 supplyRate;
        uint256 borrowRate;
        uint256 supplySpeed;
        uint256 borrowSpeed;
        uint256 trackingIndexScale;
    }

    struct Position {
        uint256 supplied;
        uint256 borrowed;
        uint256 rewardOwed;
    }

    /// @notice Rates are per second, 1e18-scaled. The two arrays follow the order of `assets`.
    /// @dev Called with `eth_call` only: `getRewardOwed` writes before it answers.
    function read(ICometReads comet, ICometRewardReads rewards, address account, address[] calldata assets)
        external
        returns (Market memory market, Position memory position, uint256[] memory collateral, uint256[] memory totals)
    {
        uint256 utilization = comet.getUtilization();
        market = Market({
            totalSupply: comet.totalSupply(),
            totalBorrow: comet.totalBorrow(),
            supplyRate: comet.getSupplyRate(utilization),
            borrowRate: comet.getBorrowRate(utilization),
            supplySpeed: comet.baseTrackingSupplySpeed(),
            borrowSpeed: comet.baseTrackingBorrowSpeed(),
            trackingIndexScale: comet.trackingIndexScale()
        });
        position.supplied = comet.balanceOf(account);
        position.borrowed = comet.borrowBalanceOf(account);
        position.rewardOwed = _rewardOf(rewards, address(comet), account);
        collateral = new uint256[](assets.length);
        totals = new uint256[](assets.length);
        for (uint256 i = 0; i < assets.length; i++) {
            collateral[i] = comet.collateralBalanceOf(account, assets[i]);
            (uint128 total,) = comet.totalsCollateral(assets[i]);
            totals[i] = total;
        }
    }

    /// @dev A market for which the rewards contract is not configured pays none.
    function _rewardOf(ICometRewardReads rewards, address comet, address account) private returns (uint256) {
        try rewards.getRewardOwed(comet, account) returns (ICometRewardReads.RewardOwed memory reward) {
            return reward.owed;
        } catch {
            return 0;
        }
    }
}
