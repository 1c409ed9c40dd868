// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Received} from "./Received.sol";

interface ICometRewardClaims {
    function claim(address comet, address src, bool shouldAccrue) external;
}

/// @title CometClaimRewards
/// @notice Script: claims the wallet's rewards of several Comet markets of one rewards contract, and hands on what it
/// got to scripts that come after it.
contract CometClaimRewards {
    /// @param reward Token in which all of them pay
    function claim(address rewards, address reward, address[] calldata comets) external {
        uint256 before = IERC20(reward).balanceOf(address(this));
        for (uint256 i = 0; i < comets.length; i++) {
            ICometRewardClaims(rewards).claim(comets[i], address(this), true);
        }
        Received.addSince(reward, before);
    }
}
