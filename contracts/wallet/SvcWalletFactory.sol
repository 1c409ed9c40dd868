// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {ISvcWallet, Operation} from "./ISvcWallet.sol";

/// @title SvcWalletFactory
/// @notice Makes the wallet of a signer, at an address that depends on factory, implementation and signer alone. A wallet is
/// made with its first operation: before that, its address can hold funds already.
contract SvcWalletFactory {
    event WalletCreated(address indexed signer, address wallet);

    /// @notice The code that every wallet's proxy points to.
    address public immutable implementation;

    constructor(address implementation_) {
        implementation = implementation_;
    }

    /// @notice The wallet of a signer, deployed or not.
    function walletAddressOf(address signer) public view returns (address) {
        return Clones.predictDeterministicAddressWithImmutableArgs(implementation, abi.encode(signer), bytes32(0));
    }

    /// @notice Makes sure that the signer's wallet stands.
    function create(address signer) public returns (ISvcWallet wallet) {
        wallet = ISvcWallet(walletAddressOf(signer));
        if (address(wallet).code.length > 0) return wallet;
        Clones.cloneDeterministicWithImmutableArgs(implementation, abi.encode(signer), bytes32(0));
        emit WalletCreated(signer, address(wallet));
    }

    /// @notice Makes the wallet if need be and runs an operation that was signed alone.
    function createAndExecute(address signer, Operation calldata op, bytes calldata signature)
        external
        returns (bytes memory)
    {
        return create(signer).executeOperation(op, signature);
    }

    /// @notice Makes the wallet if need be and runs one operation of a signed list.
    function createAndExecuteMulti(
        address signer,
        Operation calldata op,
        bytes32[] calldata opDigests,
        bytes calldata signature
    ) external returns (bytes memory) {
        return create(signer).executeMultiOperation(op, opDigests, signature);
    }

    /// @notice Makes the wallet if need be and runs several operations of a signed list, all or nothing.
    function createAndExecuteBatch(
        address signer,
        Operation[] calldata ops,
        bytes32[] calldata opDigests,
        bytes calldata signature
    ) external returns (bytes[] memory) {
        return create(signer).executeBatch(ops, opDigests, signature);
    }
}
