// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IMorpho, Market, MarketParams, Position} from "../interfaces/IMorpho.sol";
import {IIrmView, MorphoMath} from "../protocols/morpho/MorphoMath.sol";

/// @title MorphoLens
/// @notice Reads a Morpho Blue market and one account's position in it with a single call, with the interest up to now.
contract MorphoLens {
    /// @dev Carries the rate out of a call whose effects are undone.
    error RateNow(uint256 rate);

    /// @param borrowRate What borrowers pay from now on, per second, 1e18-scaled
    /// @param borrowed What the account would have to pay to owe nothing, rounded up as the market does
    struct Reading {
        uint256 totalSupply;
        uint256 totalBorrow;
        uint256 borrowRate;
        uint256 borrowed;
        uint256 collateral;
    }

    /// @notice Not a view by its type, but it changes nothing.
    function read(IMorpho morpho, bytes32 id, address account) external returns (Reading memory) {
        MarketParams memory params = morpho.idToMarketParams(id);
        (Market memory market, uint256 mean) = MorphoMath.current(morpho, id, params);
        Position memory position = morpho.position(id, account);
        return Reading({
            totalSupply: market.totalSupplyAssets,
            totalBorrow: market.totalBorrowAssets,
            borrowRate: mean == 0 ? 0 : _rateNow(morpho, id, params),
            borrowed: MorphoMath.toAssetsUp(position.borrowShares, market),
            collateral: position.collateral
        });
    }

    /// @notice Reverts with the rate: a model that adapts tells the one of this moment only once the market has accrued.
    function accrueAndTell(IMorpho morpho, bytes32 id, MarketParams calldata params) external {
        morpho.accrueInterest(params);
        revert RateNow(IIrmView(params.irm).borrowRateView(params, morpho.market(id)));
    }

    function _rateNow(IMorpho morpho, bytes32 id, MarketParams memory params) private returns (uint256 rate) {
        try this.accrueAndTell(morpho, id, params) {}
        catch (bytes memory reason) {
            if (bytes4(reason) != RateNow.selector) assembly ("memory-safe") {
                revert(add(reason, 32), mload(reason))
            }
            assembly ("memory-safe") {
                rate := mload(add(reason, 36))
            }
        }
    }
}
