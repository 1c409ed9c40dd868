// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title ArbSys
/// @notice What clients ask an Arbitrum chain about itself, with the interface of the precompile at 0x64. An offline chain counts its
/// blocks as one: BLOCKNUMBER, which is L1's on the real network, is the chain's own here.
contract ArbSys {
    function arbBlockNumber() external view returns (uint256) {
        return block.number;
    }

    /// @notice Reverts for the current block, later ones, and those before the last 256.
    function arbBlockHash(uint256 number) external view returns (bytes32 hash) {
        hash = blockhash(number);
        require(hash != 0, "Invalid block number");
    }

    function arbChainID() external view returns (uint256) {
        return block.chainid;
    }

    /// @notice 55 and the version of ArbOS, as the precompile counts it.
    function arbOSVersion() external pure returns (uint256) {
        return 55 + 32;
    }
}
