// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// @notice The arithmetic of Compound III: principals and present values, scaled products, and how a change of principal divides
/// into repaying and supplying, or withdrawing and borrowing. Everything rounds down except where the name says otherwise.
library CometMath {
    using SafeCast for uint256;
    using SafeCast for int256;

    /// @notice Scale of all factors and rates.
    uint64 internal constant FACTOR_SCALE = 1e18;
    /// @notice Scale of the base supply and borrow index.
    uint64 internal constant BASE_INDEX_SCALE = 1e15;

    /// @notice `n * factor`, the factor 1e18-scaled.
    function mulFactor(uint256 n, uint256 factor) internal pure returns (uint256) {
        return n * factor / FACTOR_SCALE;
    }

    /// @notice Value of `n` units of an asset with that scale, in the scale of the price.
    function mulPrice(uint256 n, uint256 price, uint64 fromScale) internal pure returns (uint256) {
        return n * price / fromScale;
    }

    /// @notice `mulPrice` of an amount that may be negative; rounds towards zero.
    function signedMulPrice(int256 n, uint256 price, uint64 fromScale) internal pure returns (int256) {
        return n * price.toInt256() / int256(uint256(fromScale));
    }

    /// @notice How many units of an asset with that scale a value is worth.
    function divPrice(uint256 value, uint256 price, uint64 toScale) internal pure returns (uint256) {
        return value * toScale / price;
    }

    /// @notice What a principal is worth at an index: for both sides rounded down.
    function presentAmount(uint64 index, uint104 principal) internal pure returns (uint256) {
        return uint256(principal) * index / BASE_INDEX_SCALE;
    }

    /// @notice The principal of a supplied amount, rounded down: the market never owes more than it got.
    function supplyPrincipal(uint64 index, uint256 amount) internal pure returns (uint104) {
        return (amount * BASE_INDEX_SCALE / index).toUint104();
    }

    /// @notice The principal of a borrowed amount, rounded up: no debt is too small to be owed.
    function borrowPrincipalUp(uint64 index, uint256 amount) internal pure returns (uint104) {
        return Math.ceilDiv(amount * BASE_INDEX_SCALE, index).toUint104();
    }

    /// @notice Of a principal that rises, the part that pays back debt and the part that is supplied; (0, 0) when it falls.
    function repayAndSupply(int104 oldPrincipal, int104 newPrincipal) internal pure returns (uint104, uint104) {
        if (newPrincipal < oldPrincipal) return (0, 0);
        return (_below(oldPrincipal) - _below(newPrincipal), _above(newPrincipal) - _above(oldPrincipal));
    }

    /// @notice Of a principal that falls, the part that is withdrawn and the part that is borrowed; (0, 0) when it rises.
    function withdrawAndBorrow(int104 oldPrincipal, int104 newPrincipal) internal pure returns (uint104, uint104) {
        if (newPrincipal > oldPrincipal) return (0, 0);
        return (_above(oldPrincipal) - _above(newPrincipal), _below(newPrincipal) - _below(oldPrincipal));
    }

    /// @dev How far a principal lies above zero.
    function _above(int104 principal) private pure returns (uint104) {
        return principal > 0 ? uint104(principal) : 0;
    }

    /// @dev How far a principal lies below zero.
    function _below(int104 principal) private pure returns (uint104) {
        return principal < 0 ? uint104(-principal) : 0;
    }
}
