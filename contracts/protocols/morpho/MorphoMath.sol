// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IMorpho, Market, MarketParams} from "../../interfaces/IMorpho.sol";

/// @notice What an interest rate model answers to readers.
interface IIrmView {
    function borrowRateView(MarketParams calldata params, Market calldata market) external view returns (uint256);
}

/// @notice Morpho Blue's published arithmetic for readers: what a market's sums are now, and what shares are worth. Gives to the
/// last digit what the market itself computes when it next accrues.
library MorphoMath {
    uint256 private constant WAD = 1e18;
    /// @dev Every market counts this many shares and one unit of assets that nobody holds.
    uint256 private constant VIRTUAL_SHARES = 1e6;
    uint256 private constant VIRTUAL_ASSETS = 1;

    /// @notice The market's sums with the interest up to the current block, and the mean rate since its last update at which it accrues
    /// it: per second, 1e18-scaled. The model is asked as the market asks it, with the sums and the time of that update, since one that
    /// adapts answers for the time that has gone by since then.
    function current(IMorpho morpho, bytes32 id, MarketParams memory params)
        internal
        view
        returns (Market memory market, uint256 rate)
    {
        market = morpho.market(id);
        // An idle market lends to nobody and has no model.
        if (params.irm == address(0)) return (market, 0);
        rate = IIrmView(params.irm).borrowRateView(params, market);
        uint256 elapsed = block.timestamp - market.lastUpdate;
        if (elapsed == 0 || market.totalBorrowAssets == 0) return (market, rate);
        uint128 interest = uint128(market.totalBorrowAssets * compounded(rate, elapsed) / WAD);
        market.totalBorrowAssets += interest;
        market.totalSupplyAssets += interest;
        market.lastUpdate = uint128(block.timestamp);
        if (market.fee == 0) return (market, rate);
        // The fee is paid in shares of what the lenders have without it.
        uint256 fee = uint256(interest) * market.fee / WAD;
        uint256 others = market.totalSupplyAssets - fee;
        market.totalSupplyShares +=
            uint128(Math.mulDiv(fee, market.totalSupplyShares + VIRTUAL_SHARES, others + VIRTUAL_ASSETS));
    }

    /// @notice e^(rate * elapsed) - 1 by the first three terms of its series, 1e18-scaled.
    function compounded(uint256 rate, uint256 elapsed) internal pure returns (uint256) {
        uint256 first = rate * elapsed;
        uint256 second = first * first / (2 * WAD);
        uint256 third = second * first / (3 * WAD);
        return first + second + third;
    }

    /// @notice What the supply shares are worth, rounded down.
    function toAssets(uint256 shares, Market memory market) internal pure returns (uint256) {
        return Math.mulDiv(
            shares, market.totalSupplyAssets + VIRTUAL_ASSETS, market.totalSupplyShares + VIRTUAL_SHARES
        );
    }

    /// @notice What the supply shares are worth, rounded up.
    function suppliedUp(uint256 shares, Market memory market) internal pure returns (uint256) {
        uint256 assets = market.totalSupplyAssets + VIRTUAL_ASSETS;
        return Math.mulDiv(shares, assets, market.totalSupplyShares + VIRTUAL_SHARES, Math.Rounding.Ceil);
    }

    /// @notice What it takes to repay the borrow shares, rounded up.
    function toAssetsUp(uint256 shares, Market memory market) internal pure returns (uint256) {
        uint256 assets = market.totalBorrowAssets + VIRTUAL_ASSETS;
        return Math.mulDiv(shares, assets, market.totalBorrowShares + VIRTUAL_SHARES, Math.Rounding.Ceil);
    }
}
