// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";

/// @notice A rewards distributor of another owner that takes its newest root only, as the maker's does. Without an owner nobody
/// can set one.
contract OwnedDistributor {
    using SafeERC20 for IERC20;

    /// @dev Stands before the root, so that nobody may take the first slot for it.
    address public owner;
    bytes32 public root;
    bytes32 public ipfsHash;
    mapping(address account => mapping(address reward => uint256)) public claimed;

    event Claimed(address indexed account, address indexed reward, uint256 amount);

    constructor(address owner_) {
        owner = owner_;
    }

    function setRoot(bytes32 newRoot, bytes32 newIpfsHash) external {
        require(msg.sender == owner, "caller has not the updater role");
        require(newRoot != root || newIpfsHash != ipfsHash, "already set");
        (root, ipfsHash) = (newRoot, newIpfsHash);
    }

    function claim(address account, address reward, uint256 claimable, bytes32[] calldata proof)
        external
        returns (uint256 amount)
    {
        require(root != bytes32(0), "root is not set");
        bytes32 leaf = keccak256(bytes.concat(keccak256(abi.encode(account, reward, claimable))));
        require(MerkleProof.verifyCalldata(proof, root, leaf), "invalid proof or expired");
        uint256 had = claimed[account][reward];
        require(claimable > had, "claimable too low");
        amount = claimable - had;
        claimed[account][reward] = claimable;
        IERC20(reward).safeTransfer(account, amount);
        emit Claimed(account, reward, amount);
    }
}
