// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title RewardGrants
/// @notice What accounts are due of rewards although they did not earn it: whoever tests with rewards need not wait for them.
/// Kept on chain so that it is saved, restored and reset with the chain.
contract RewardGrants {
    error NotAdmin(address caller);

    address public immutable admin;
    /// @notice Granted to an account of a token, ever.
    mapping(address account => mapping(address reward => uint256)) public granted;

    constructor(address admin_) {
        admin = admin_;
    }

    function grant(address account, address reward, uint256 amount) external {
        if (msg.sender != admin) revert NotAdmin(msg.sender);
        granted[account][reward] += amount;
    }
}
