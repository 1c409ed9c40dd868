// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {Token} from "./Token.sol";

/// @title BridgedToken
/// @notice A token that refuses in the words of OpenZeppelin's contracts before version 5, of which most bridged tokens are made.
contract BridgedToken is Token {
    bytes32 private constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    constructor(string memory name_, string memory symbol_, uint8 decimals_, address minter_)
        Token(name_, symbol_, decimals_, minter_)
    {}

    function transfer(address to, uint256 value) public override(ERC20) returns (bool) {
        _requireMovable(msg.sender, to, value);
        return super.transfer(to, value);
    }

    function transferFrom(address from, address to, uint256 value) public override(ERC20) returns (bool) {
        require(allowance(from, msg.sender) >= value, "ERC20: insufficient allowance");
        _requireMovable(from, to, value);
        return super.transferFrom(from, to, value);
    }

    function approve(address spender, uint256 value) public override(ERC20) returns (bool) {
        require(spender != address(0), "ERC20: approve to the zero address");
        return super.approve(spender, value);
    }

    function increaseAllowance(address spender, uint256 more) external returns (bool) {
        return approve(spender, allowance(msg.sender, spender) + more);
    }

    function decreaseAllowance(address spender, uint256 less) external returns (bool) {
        uint256 allowed = allowance(msg.sender, spender);
        require(allowed >= less, "ERC20: decreased allowance below zero");
        return approve(spender, allowed - less);
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        public
        override(ERC20Permit)
    {
        require(block.timestamp <= deadline, "ERC20Permit: expired deadline");
        bytes32 hash = keccak256(abi.encode(PERMIT_TYPEHASH, owner, spender, value, nonces(owner), deadline));
        (address signer,,) = ECDSA.tryRecover(_hashTypedDataV4(hash), v, r, s);
        require(signer == owner, "ERC20Permit: invalid signature");
        super.permit(owner, spender, value, deadline, v, r, s);
    }

    function _requireMovable(address from, address to, uint256 value) private view {
        require(to != address(0), "ERC20: transfer to the zero address");
        require(balanceOf(from) >= value, "ERC20: transfer amount exceeds balance");
    }
}
