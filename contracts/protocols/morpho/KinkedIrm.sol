// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Market, MarketParams} from "../../interfaces/IMorpho.sol";

/// @notice Interest rates for Morpho Blue markets: the published curve of the adaptive model (utilization 90 % costs the rate at
/// target, an empty market a quarter of it, a fully lent one four times it) without the adapting. Here the rate at target
/// stays what it is at a real market's birth, 4 % a year, so that a market's rates depend on its utilization alone.
contract KinkedIrm {
    /// @notice Utilization at the kink, 1e18-scaled.
    int256 public constant TARGET_UTILIZATION = 0.9e18;
    /// @notice How many times the rate at target a fully lent market costs, 1e18-scaled.
    int256 public constant CURVE_STEEPNESS = 4e18;
    /// @notice Rate at the kink, per second, 1e18-scaled.
    int256 public constant RATE_AT_TARGET = 0.04e18 / int256(365 days);

    int256 private constant WAD = 1e18;

    /// @notice The rate at the kink of any market, per second, 1e18-scaled.
    function rateAtTarget(bytes32) external pure returns (int256) {
        return RATE_AT_TARGET;
    }

    /// @notice The borrow rate that the market has, per second, 1e18-scaled. Morpho Blue calls this one.
    function borrowRate(MarketParams calldata, Market calldata market) external pure returns (uint256) {
        return _rate(market);
    }

    /// @notice The same for readers.
    function borrowRateView(MarketParams calldata, Market calldata market) external pure returns (uint256) {
        return _rate(market);
    }

    /// @dev The distance to the target is measured in shares of the way to the end it lies towards: -1 is an empty market, 1 a
    /// fully lent one. Down there the rate falls to 1/steepness, up there it rises to steepness.
    function _rate(Market calldata market) private pure returns (uint256) {
        int256 distance = _utilization(market) - TARGET_UTILIZATION;
        int256 range = distance < 0 ? TARGET_UTILIZATION : WAD - TARGET_UTILIZATION;
        int256 slope = distance < 0 ? WAD - WAD * WAD / CURVE_STEEPNESS : CURVE_STEEPNESS - WAD;
        int256 factor = WAD + slope * distance / range;
        return uint256(RATE_AT_TARGET * factor / WAD);
    }

    /// @dev Cannot pass 1: a market never lends more than it has, and interest is added to both sums.
    function _utilization(Market calldata market) private pure returns (int256) {
        if (market.totalSupplyAssets == 0) return 0;
        return int256(uint256(market.totalBorrowAssets)) * WAD / int256(uint256(market.totalSupplyAssets));
    }
}
