// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IMorpho, Market, MarketParams, Position} from "../interfaces/IMorpho.sol";
import {MorphoMath} from "../protocols/morpho/MorphoMath.sol";

/// @title MorphoLens
/// @notice Reads a Morpho Blue market and one account's position in it with a single call, with the interest up to now.
contract MorphoLens {
    /// @param borrowRate Per second, 1e18-scaled
    /// @param borrowed What the account would have to pay to owe nothing, rounded up as the market does
    struct Reading {
        uint256 totalSupply;
        uint256 totalBorrow;
        uint256 borrowRate;
        uint256 borrowed;
        uint256 collateral;
    }

    function read(IMorpho morpho, bytes32 id, address account) external view returns (Reading memory) {
        MarketParams memory params = morpho.idToMarketParams(id);
        (Market memory market, uint256 rate) = MorphoMath.current(morpho, id, params);
        Position memory position = morpho.position(id, account);
        return Reading({
            totalSupply: market.totalSupplyAssets,
            totalBorrow: market.totalBorrowAssets,
            borrowRate: rate,
            borrowed: MorphoMath.toAssetsUp(position.borrowShares, market),
            collateral: position.collateral
        });
    }
}
