// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Received} from "./Received.sol";

interface IMorphoRewardClaims {
    function claim(address account, address reward, uint256 claimable, bytes32[] calldata proof)
        external
        returns (uint256 amount);
}

/// @title MorphoClaimRewards
/// @notice Script: claims what a leaf of a rewards distributor's tree says the wallet is due of a token, and hands on
/// what it got to scripts that come after it.
contract MorphoClaimRewards {
    function claim(address distributor, address reward, uint256 claimable, bytes32[] calldata proof) external {
        uint256 before = IERC20(reward).balanceOf(address(this));
        IMorphoRewardClaims(distributor).claim(address(this), reward, claimable, proof);
        Received.addSince(reward, before);
    }
}
