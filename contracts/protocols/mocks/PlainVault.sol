// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";

/// @notice An ERC-4626 vault of any token that does nothing with it: a place for assets that no market of the world takes.
contract PlainVault is ERC4626 {
    constructor(IERC20 asset_) ERC20("Plain vault", "PLAIN") ERC4626(asset_) {}
}
