// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface IMorphoRewardClaims {
    function claim(address account, address reward, uint256 claimable, bytes32[] calldata proof)
        external
        returns (uint256 amount);
}

/// @title MorphoClaimRewards
/// @notice Script: claims what a leaf of a rewards distributor's tree says the wallet is due of a token.
contract MorphoClaimRewards {
    function claim(address distributor, address reward, uint256 claimable, bytes32[] calldata proof) external {
        IMorphoRewardClaims(distributor).claim(address(this), reward, claimable, proof);
    }
}
