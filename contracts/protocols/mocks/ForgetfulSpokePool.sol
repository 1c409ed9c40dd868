// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {SpokePool} from "../across/SpokePool.sol";

/// @title ForgetfulSpokePool
/// @notice A spoke pool that keeps no deposits, as the protocol's own: refunds are its hub's affair.
contract ForgetfulSpokePool is SpokePool {
    constructor(address wrappedNativeToken_, address hub_) SpokePool(wrappedNativeToken_, hub_) {}

    function _remember(uint256, bytes32) internal override {}
}
