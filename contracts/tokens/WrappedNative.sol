// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";

/// @notice The native token as an ERC-20, one to one. It behaves as WETH9: wrapping emits `Deposit` and unwrapping `Withdrawal`, neither emits
/// `Transfer`; refusals carry no words, and balances lie at slot 3.
contract WrappedNative is IERC20Metadata {
    event Deposit(address indexed dst, uint256 wad);
    event Withdrawal(address indexed src, uint256 wad);

    /// @dev What WETH9 leaves to a receiver's code, by way of Solidity's `transfer`.
    uint256 private constant RECEIVER_GAS = 2300;

    // In the order of the original.
    string public name;
    string public symbol;
    uint8 public decimals = 18;
    mapping(address account => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    constructor(string memory name_, string memory symbol_) {
        name = name_;
        symbol = symbol_;
    }

    receive() external payable {
        deposit();
    }

    /// @notice Wraps the value sent.
    function deposit() public payable {
        balanceOf[msg.sender] += msg.value;
        emit Deposit(msg.sender, msg.value);
    }

    /// @notice Unwraps `wad`. A contract that receives it has 2300 gas for its `receive`.
    function withdraw(uint256 wad) external {
        _take(msg.sender, wad);
        // A call with value brings the 2300 along by itself.
        (bool ok,) = msg.sender.call{value: wad, gas: wad == 0 ? RECEIVER_GAS : 0}("");
        require(ok);
        emit Withdrawal(msg.sender, wad);
    }

    /// @notice All wrapped tokens: what this contract holds.
    function totalSupply() external view returns (uint256) {
        return address(this).balance;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    /// @notice An allowance of the largest number is never used up.
    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        require(balanceOf[from] >= amount);
        if (from != msg.sender && allowed != type(uint256).max) {
            require(allowed >= amount);
            allowance[from][msg.sender] = allowed - amount;
        }
        _move(from, to, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) private {
        _take(from, amount);
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }

    function _take(address from, uint256 amount) private {
        uint256 balance = balanceOf[from];
        require(balance >= amount);
        balanceOf[from] = balance - amount;
    }
}
