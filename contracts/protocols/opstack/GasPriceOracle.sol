// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {L1Block} from "./L1Block.sol";

/// @title GasPriceOracle
/// @notice What a transaction pays for its place on L1, with the interface of the OP-stack predeploy at 0x42...0F and the fee of Fjord
/// (https://specs.optimism.io/protocol/fjord/exec-engine.html). Sizes are upper bounds: FastLZ can make data at most this much longer, so
/// a fee is never too low. Nobody charges it here: an estimate is what a client on the real network would add.
contract GasPriceOracle {
    string public constant version = "1.4.0";
    uint256 public constant decimals = 6;
    bool public constant isEcotone = true;
    bool public constant isFjord = true;
    bool public constant isIsthmus = true;
    bool public constant isJovian = false;

    L1Block private constant L1 = L1Block(0x4200000000000000000000000000000000000015);

    /// @dev What a signature adds to a transaction without one. Bytes.
    uint256 private constant SIGNATURE_SIZE = 68;

    /// @dev The linear model of Fjord for the size of compressed data, with 6 decimals.
    int256 private constant COST_INTERCEPT = -42_585_600;
    uint256 private constant COST_FASTLZ_COEF = 836_500;
    uint256 private constant MIN_TRANSACTION_SIZE = 100;

    /// @notice The L1 fee of an unsigned transaction in wei, rounded down.
    function getL1Fee(bytes calldata transaction) external view returns (uint256) {
        return _fee(_fastLzBound(transaction.length));
    }

    /// @notice The same for a transaction of which only the size is known.
    function getL1FeeUpperBound(uint256 unsignedTxSize) external view returns (uint256) {
        return _fee(_fastLzBound(unsignedTxSize));
    }

    /// @notice The L1 gas of an unsigned transaction: 16 per byte of its estimated size, rounded down.
    function getL1GasUsed(bytes calldata transaction) external pure returns (uint256) {
        return _estimatedSize(_fastLzBound(transaction.length)) * 16 / 1e6;
    }

    /// @notice The operator fee of Isthmus for so much gas, in wei.
    function getOperatorFee(uint256 gasUsed) external view returns (uint256) {
        return gasUsed * L1.operatorFeeScalar() / 1e6 + L1.operatorFeeConstant();
    }

    function l1BaseFee() external view returns (uint256) {
        return L1.basefee();
    }

    function blobBaseFee() external view returns (uint256) {
        return L1.blobBaseFee();
    }

    function baseFeeScalar() external view returns (uint32) {
        return L1.baseFeeScalar();
    }

    function blobBaseFeeScalar() external view returns (uint32) {
        return L1.blobBaseFeeScalar();
    }

    function baseFee() external view returns (uint256) {
        return block.basefee;
    }

    function gasPrice() external view returns (uint256) {
        return block.basefee;
    }

    /// @dev FastLZ writes one byte more for each 255, and 16 at most for its head.
    function _fastLzBound(uint256 unsignedSize) private pure returns (uint256) {
        uint256 size = unsignedSize + SIGNATURE_SIZE;
        return size + size / 255 + 16;
    }

    /// @dev With 6 decimals.
    function _estimatedSize(uint256 fastLzSize) private pure returns (uint256) {
        int256 estimated = COST_INTERCEPT + int256(COST_FASTLZ_COEF * fastLzSize);
        int256 least = int256(MIN_TRANSACTION_SIZE * 1e6);
        return uint256(estimated > least ? estimated : least);
    }

    function _fee(uint256 fastLzSize) private view returns (uint256) {
        uint256 price = L1.baseFeeScalar() * 16 * L1.basefee() + L1.blobBaseFeeScalar() * L1.blobBaseFee();
        return _estimatedSize(fastLzSize) * price / 1e12;
    }
}
