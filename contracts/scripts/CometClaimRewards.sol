// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface ICometRewardClaims {
    function claim(address comet, address src, bool shouldAccrue) external;
}

/// @title CometClaimRewards
/// @notice Script: claims the wallet's rewards of several Comet markets of one rewards contract.
contract CometClaimRewards {
    function claim(address rewards, address[] calldata comets) external {
        for (uint256 i = 0; i < comets.length; i++) {
            ICometRewardClaims(rewards).claim(comets[i], address(this), true);
        }
    }
}
