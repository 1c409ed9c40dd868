// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title ArbGasInfo
/// @notice Gas prices of an Arbitrum chain, with the interface of the precompile at 0x6C
/// (https://docs.arbitrum.io/build-decentralized-apps/precompiles/reference). The L1's price is a constant of a quiet day, since there is
/// no L1 behind an offline chain. Nobody charges the L1 part here.
contract ArbGasInfo {
    uint256 private constant L1_BASE_FEE = 1 gwei;
    uint256 private constant MINIMUM_GAS_PRICE = 0.01 gwei;

    /// @dev Gas that a byte of calldata costs on L1, and bytes of a transaction without calldata.
    uint256 private constant GAS_PER_BYTE = 16;
    uint256 private constant SIMPLE_TX_BYTES = 140;
    uint256 private constant STORAGE_GAS = 20_000;

    /// @notice Per L2 transaction, per byte of L1 calldata, per storage slot; then the price of gas: base, congestion, total. All in wei.
    function getPricesInWei() external view returns (uint256, uint256, uint256, uint256, uint256, uint256) {
        return _pricesInWei();
    }

    function getPricesInWeiWithAggregator(address)
        external
        view
        returns (uint256, uint256, uint256, uint256, uint256, uint256)
    {
        return _pricesInWei();
    }

    /// @notice Per L2 transaction, per byte of L1 calldata, per storage slot. In gas, rounded down.
    function getPricesInArbGas() external view returns (uint256, uint256, uint256) {
        uint256 perByte = L1_BASE_FEE * GAS_PER_BYTE / _gasPrice();
        return (perByte * SIMPLE_TX_BYTES, perByte, STORAGE_GAS);
    }

    function getL1BaseFeeEstimate() external pure returns (uint256) {
        return L1_BASE_FEE;
    }

    function getL1GasPriceEstimate() external pure returns (uint256) {
        return L1_BASE_FEE;
    }

    function getMinimumGasPrice() external pure returns (uint256) {
        return MINIMUM_GAS_PRICE;
    }

    /// @notice Of the transaction that calls: nothing, since nobody charges it.
    function getCurrentTxL1GasFees() external pure returns (uint256) {
        return 0;
    }

    /// @notice Gas per second that the chain can bear, and the most of a block and of a transaction.
    function getGasAccountingParams() external view returns (uint256, uint256, uint256) {
        return (7_000_000, block.gaslimit, block.gaslimit);
    }

    function _pricesInWei() private view returns (uint256, uint256, uint256, uint256, uint256, uint256) {
        uint256 price = _gasPrice();
        uint256 perByte = L1_BASE_FEE * GAS_PER_BYTE;
        return (
            perByte * SIMPLE_TX_BYTES, perByte, price * STORAGE_GAS, MINIMUM_GAS_PRICE, price - MINIMUM_GAS_PRICE, price
        );
    }

    /// @dev A call without a gas price sees a base fee of zero.
    function _gasPrice() private view returns (uint256) {
        return block.basefee > MINIMUM_GAS_PRICE ? block.basefee : MINIMUM_GAS_PRICE;
    }
}
