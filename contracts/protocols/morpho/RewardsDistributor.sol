// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";

/// @title RewardsDistributor
/// @notice Pays rewards that were reckoned off chain, out of its own balance, with the external interface of Morpho's
/// Universal Rewards Distributor. The owner posts the root of a Merkle tree whose leaves say what an account is due of a
/// token, ever; whoever proves a leaf has the account paid what it has not had of that yet.
/// Refuses in the original's words.
/// @dev Differs from the original in one point: a root that was posted once stays good. What an account is due never
/// shrinks, so an older root cannot pay more than the newest, and a claim that was signed is not undone by the next root.
contract RewardsDistributor {
    using SafeERC20 for IERC20;

    event RootSet(bytes32 indexed newRoot, bytes32 indexed newIpfsHash);
    event Claimed(address indexed account, address indexed reward, uint256 amount);

    address public immutable owner;
    /// @notice The newest root.
    bytes32 public root;
    /// @notice Where the newest tree is published; the simulator publishes none and posts zero.
    bytes32 public ipfsHash;
    /// @notice Whether a root has ever been posted.
    mapping(bytes32 root => bool) public isPosted;
    /// @notice What an account has had of a token, ever.
    mapping(address account => mapping(address reward => uint256)) public claimed;

    constructor(address owner_) {
        owner = owner_;
    }

    function setRoot(bytes32 newRoot, bytes32 newIpfsHash) external {
        require(msg.sender == owner, "caller has not the updater role");
        require(newRoot != root || newIpfsHash != ipfsHash, "already set");
        root = newRoot;
        ipfsHash = newIpfsHash;
        isPosted[newRoot] = true;
        emit RootSet(newRoot, newIpfsHash);
    }

    /// @notice Pays an account, whoever calls.
    /// @param claimable What the account is due of the token, ever, as the leaf says
    /// @param proof The leaf's siblings from the bottom up; pairs are hashed in ascending order
    /// @return amount What was paid
    function claim(address account, address reward, uint256 claimable, bytes32[] calldata proof)
        external
        returns (uint256 amount)
    {
        // Hashed twice, so that an inner node of the tree cannot pass for a leaf.
        bytes32 leaf = keccak256(bytes.concat(keccak256(abi.encode(account, reward, claimable))));
        require(root != bytes32(0), "root is not set");
        require(isPosted[MerkleProof.processProofCalldata(proof, leaf)], "invalid proof or expired");
        uint256 had = claimed[account][reward];
        require(claimable > had, "claimable too low");
        amount = claimable - had;
        claimed[account][reward] = claimable;
        IERC20(reward).safeTransfer(account, amount);
        emit Claimed(account, reward, amount);
    }
}
