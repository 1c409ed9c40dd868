// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title L1Block
/// @notice What an OP-stack chain knows of its L1, with the interface of the predeploy at 0x42...15. There is no L1 behind an offline
/// chain: its number is the chain's own, and its fees are constants of a quiet day.
contract L1Block {
    string public constant version = "1.7.0";

    /// @notice Fees of the L1, in wei per unit of gas.
    uint256 public constant basefee = 1 gwei;
    uint256 public constant blobBaseFee = 1;

    /// @notice The operator fee of Isthmus; neither network takes one.
    uint32 public constant operatorFeeScalar = 0;
    uint64 public constant operatorFeeConstant = 0;

    /// @notice Of the fee before Ecotone; nothing since then.
    uint256 public constant l1FeeOverhead = 0;
    uint256 public constant l1FeeScalar = 0;

    uint256 private constant BASE = 8453;

    /// @notice What the network's operator has set, with 6 decimals: base's, and for any other network that of OP Mainnet.
    function baseFeeScalar() external view returns (uint32) {
        return block.chainid == BASE ? 2269 : 5227;
    }

    function blobBaseFeeScalar() external view returns (uint32) {
        return block.chainid == BASE ? 1_055_762 : 1_014_213;
    }

    function number() external view returns (uint64) {
        return uint64(block.number);
    }

    function timestamp() external view returns (uint64) {
        return uint64(block.timestamp);
    }

    function hash() external view returns (bytes32) {
        return blockhash(block.number - 1);
    }

    function sequenceNumber() external pure returns (uint64) {
        return 0;
    }
}
