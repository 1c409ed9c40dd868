// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IMorpho} from "../../interfaces/IMorpho.sol";
import {MorphoVault} from "../morpho/MorphoVault.sol";

/// @notice A vault that says that it keeps a fifth of what it earns. Test only.
contract FeeVault is MorphoVault {
    constructor(IERC20 asset_, IMorpho morpho, Allocation[] memory allocations)
        MorphoVault(asset_, "Fee vault", "fee", morpho, allocations)
    {}

    function fee() external pure returns (uint96) {
        return 0.2e18;
    }
}
