// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";

/// @notice The native token as an ERC-20, one to one, with the interface and the events of WETH9: wrapping emits `Deposit`
/// and unwrapping `Withdrawal`, neither emits `Transfer`. Failures carry the ERC-6093 errors that OpenZeppelin tokens have.
contract WrappedNative is IERC20Metadata, IERC20Errors {
    event Deposit(address indexed dst, uint256 wad);
    event Withdrawal(address indexed src, uint256 wad);

    /// @notice `to` did not take the native tokens that it asked to unwrap.
    error NativeTransferFailed(address to, uint256 amount);

    uint8 public constant decimals = 18;
    string public name;
    string public symbol;
    mapping(address account => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    /// @dev What WETH9 leaves to a receiver's code, by way of Solidity's `transfer`.
    uint256 private constant RECEIVER_GAS = 2300;

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
        if (!ok) revert NativeTransferFailed(msg.sender, wad);
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
        if (from != msg.sender && allowed != type(uint256).max) {
            if (allowed < amount) revert ERC20InsufficientAllowance(msg.sender, allowed, amount);
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
        if (balance < amount) revert ERC20InsufficientBalance(from, balance, amount);
        balanceOf[from] = balance - amount;
    }
}
