// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ArbGasInfo} from "./ArbGasInfo.sol";

/// @title NodeInterface
/// @notice Estimates of gas on an Arbitrum chain, with the interface of the virtual contract at 0xC8
/// (https://docs.arbitrum.io/build-decentralized-apps/nodeinterface/reference). Unlike the node's, it is a contract: what it tries is called
/// by itself, and not by the sender, so a call that only its sender can make reverts with the reason of that.
contract NodeInterface {
    ArbGasInfo private constant GAS_INFO = ArbGasInfo(address(0x6C));

    uint256 private constant TX_GAS = 21_000;
    uint256 private constant CREATE_GAS = 32_000;
    uint256 private constant ZERO_BYTE_GAS = 4;
    uint256 private constant OTHER_BYTE_GAS = 16;

    /// @dev Of a transaction besides its calldata: signature, addresses, numbers. Bytes.
    uint256 private constant HEAD_BYTES = 140;

    /// @notice Gas of a transaction as a whole, and the part of it that is for L1; then the prices of gas on both, in wei.
    function gasEstimateComponents(address to, bool contractCreation, bytes calldata data)
        external
        payable
        returns (uint64 gasEstimate, uint64 gasEstimateForL1, uint256 baseFee, uint256 l1BaseFeeEstimate)
    {
        (gasEstimateForL1, baseFee, l1BaseFeeEstimate) = _l1Component(data.length);
        uint256 before = gasleft();
        if (contractCreation) _create(data);
        else _call(to, data);
        uint256 gas = TX_GAS + _calldataGas(data) + before - gasleft() + (contractCreation ? CREATE_GAS : 0);
        gasEstimate = uint64(gas) + gasEstimateForL1;
    }

    /// @notice The part of a transaction's gas that is for L1, without trying it.
    function gasEstimateL1Component(address, bool, bytes calldata data)
        external
        payable
        returns (uint64 gasEstimateForL1, uint256 baseFee, uint256 l1BaseFeeEstimate)
    {
        return _l1Component(data.length);
    }

    /// @notice The first block of the chain that Nitro made: none of an offline chain was made before.
    function nitroGenesisBlock() external pure returns (uint256) {
        return 0;
    }

    /// @notice The L1 block of an L2 block. There is no L1 behind an offline chain: it is the number itself.
    function blockL1Num(uint64 l2BlockNum) external pure returns (uint64) {
        return l2BlockNum;
    }

    /// @dev Uncompressed, so never too low. Rounded up.
    function _l1Component(uint256 length)
        private
        view
        returns (uint64 gasForL1, uint256 baseFee, uint256 l1BaseFee)
    {
        (,,,,, baseFee) = GAS_INFO.getPricesInWei();
        l1BaseFee = GAS_INFO.getL1BaseFeeEstimate();
        gasForL1 = uint64(((length + HEAD_BYTES) * OTHER_BYTE_GAS * l1BaseFee + baseFee - 1) / baseFee);
    }

    function _call(address to, bytes calldata data) private {
        (bool isDone, bytes memory reason) = to.call{value: msg.value}(data);
        if (!isDone) _revert(reason);
    }

    function _create(bytes memory code) private {
        address made;
        assembly {
            made := create(callvalue(), add(code, 0x20), mload(code))
        }
        if (made == address(0)) revert("the creation reverts");
    }

    function _revert(bytes memory reason) private pure {
        assembly {
            revert(add(reason, 0x20), mload(reason))
        }
    }

    function _calldataGas(bytes calldata data) private pure returns (uint256 gas) {
        for (uint256 i = 0; i < data.length; i++) gas += data[i] == 0 ? ZERO_BYTE_GAS : OTHER_BYTE_GAS;
    }
}
