// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {CometStorage} from "./CometStorage.sol";

/// @notice Who may act for whom: a manager may do everything for an owner, or nothing. The owner says so himself, or signs it.
abstract contract CometPermission is CometStorage {
    /// @notice Version of the interface, and of what owners sign.
    string public constant version = "0";

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant AUTHORIZATION_TYPEHASH =
        keccak256("Authorization(address owner,address manager,bool isAllowed,uint256 nonce,uint256 expiry)");
    /// @dev Half the order of the curve, rounded down.
    uint256 private constant MAX_S = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    /// @notice Lets `manager` act for the caller, or no longer.
    function allow(address manager, bool isAllowed_) external {
        _allow(msg.sender, manager, isAllowed_);
    }

    /// @notice `allow` for an owner who has signed it (EIP-712), whoever sends it. The signature is checked before what it says.
    /// @param nonce The owner's `userNonce`, which goes up by one
    /// @param expiry The first second in which it is too late
    function allowBySig(
        address owner,
        address manager,
        bool isAllowed_,
        uint256 nonce,
        uint256 expiry,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        if (uint256(s) > MAX_S) revert InvalidValueS();
        if (v != 27 && v != 28) revert InvalidValueV();
        bytes32 content = keccak256(abi.encode(AUTHORIZATION_TYPEHASH, owner, manager, isAllowed_, nonce, expiry));
        address signatory = ecrecover(MessageHashUtils.toTypedDataHash(_domain(), content), v, r, s);
        if (signatory == address(0) || signatory != owner) revert BadSignatory();
        if (nonce != userNonce[owner]) revert BadNonce();
        if (block.timestamp >= expiry) revert SignatureExpired();
        userNonce[owner]++;
        _allow(owner, manager, isAllowed_);
    }

    /// @notice The ERC-20 face of `allow`: the largest number lets the spender do everything, zero nothing, else `BadAmount`.
    function approve(address spender, uint256 amount) external returns (bool) {
        if (amount != 0 && amount != type(uint256).max) revert BadAmount();
        _allow(msg.sender, spender, amount != 0);
        return true;
    }

    function allowance(address owner, address spender) external view returns (uint256) {
        return hasPermission(owner, spender) ? type(uint256).max : 0;
    }

    function hasPermission(address owner, address manager) public view returns (bool) {
        return owner == manager || isAllowed[owner][manager];
    }

    function _allow(address owner, address manager, bool isAllowed_) private {
        isAllowed[owner][manager] = isAllowed_;
        emit Approval(owner, manager, isAllowed_ ? type(uint256).max : 0);
    }

    function _domain() private view returns (bytes32) {
        return keccak256(
            abi.encode(DOMAIN_TYPEHASH, keccak256(bytes(name)), keccak256(bytes(version)), block.chainid, address(this))
        );
    }
}
