// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// @notice A token made of OpenZeppelin's contracts: refuses with the errors of ERC-6093, and has EIP-2612 permits (domain version "1").
/// One address may mint.
contract Token is ERC20, ERC20Permit {
    /// @notice `caller` is not the one address that may mint.
    error NotMinter(address caller, address minter);

    /// @notice The address that may mint.
    address public immutable minter;
    uint8 private immutable _decimals;

    constructor(string memory name_, string memory symbol_, uint8 decimals_, address minter_)
        ERC20(name_, symbol_)
        ERC20Permit(name_)
    {
        _decimals = decimals_;
        minter = minter_;
    }

    /// @notice Creates `amount` smallest units for `to`.
    function mint(address to, uint256 amount) external {
        if (msg.sender != minter) revert NotMinter(msg.sender, minter);
        _mint(to, amount);
    }

    /// @inheritdoc ERC20
    function decimals() public view override returns (uint8) {
        return _decimals;
    }
}
