// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {CallbackReceiver} from "./Callback.sol";
import {ISvcWallet, Operation} from "./ISvcWallet.sol";
import {Script} from "./Script.sol";
import {SvcNonceManager} from "./SvcNonceManager.sol";
import {SvcScriptStore} from "./SvcScriptStore.sol";

/// @title SvcWallet
/// @notice The code behind every wallet: each signer has a minimal proxy to it that carries the signer as an immutable argument.
contract SvcWallet is ISvcWallet, IERC1271, CallbackReceiver {
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant MULTI_DOMAIN_TYPEHASH = keccak256("EIP712Domain(string name,string version)");
    bytes32 private constant OPERATION_TYPEHASH = keccak256(
        "SvcOperation(bytes32 nonce,bool isReplayable,address scriptAddress,bytes[] scriptSources,bytes scriptCalldata,uint256 expiry)"
    );
    bytes32 private constant MULTI_TYPEHASH = keccak256("MultiSvcOperation(bytes32[] opDigests)");
    bytes32 private constant NAME_HASH = keccak256("Svc Wallet");
    bytes32 private constant VERSION_HASH = keccak256("1");

    SvcNonceManager public immutable nonceManager;
    SvcScriptStore public immutable scriptStore;

    constructor(SvcNonceManager nonceManager_, SvcScriptStore scriptStore_) {
        nonceManager = nonceManager_;
        scriptStore = scriptStore_;
    }

    receive() external payable {}

    /* EXECUTION */

    /// @inheritdoc ISvcWallet
    function executeOperation(Operation calldata op, bytes calldata signature) external returns (bytes memory) {
        _checkExpiry(op);
        _checkSignature(digestOf(op), signature);
        return _run(op, op.nonce);
    }

    /// @inheritdoc ISvcWallet
    function executeMultiOperation(Operation calldata op, bytes32[] calldata opDigests, bytes calldata signature)
        external
        returns (bytes memory)
    {
        _checkExpiry(op);
        _checkListed(op, opDigests);
        _checkSignature(multiDigestOf(opDigests), signature);
        return _run(op, op.nonce);
    }

    /// @inheritdoc ISvcWallet
    function executeBatch(Operation[] calldata ops, bytes32[] calldata opDigests, bytes calldata signature)
        external
        returns (bytes[] memory results)
    {
        if (ops.length == 0) revert NoOperations();
        for (uint256 i = 0; i < ops.length; i++) {
            _checkExpiry(ops[i]);
            _checkListed(ops[i], opDigests);
        }
        _checkSignature(multiDigestOf(opDigests), signature);
        results = new bytes[](ops.length);
        for (uint256 i = 0; i < ops.length; i++) {
            results[i] = _run(ops[i], ops[i].nonce);
        }
    }

    /// @inheritdoc ISvcWallet
    function replayOperation(Operation calldata op, bytes32 submissionToken, bytes calldata signature)
        external
        returns (bytes memory)
    {
        _checkExpiry(op);
        _checkSignature(digestOf(op), signature);
        return _run(op, submissionToken);
    }

    /// @dev The nonce is used up before the script runs, so a script that calls back cannot run the operation again.
    function _run(Operation calldata op, bytes32 submissionToken) private returns (bytes memory result) {
        for (uint256 i = 0; i < op.scriptSources.length; i++) {
            scriptStore.store(op.scriptSources[i]);
        }
        nonceManager.submit(op.nonce, op.isReplayable, submissionToken);
        result = Script.run(op.scriptAddress, op.scriptCalldata);
        emit OperationExecuted(msg.sender, op.scriptAddress, op.nonce, submissionToken, op.isReplayable);
    }

    /* CHECKS */

    function _checkExpiry(Operation calldata op) private view {
        if (block.timestamp >= op.expiry) revert SignatureExpired();
    }

    function _checkListed(Operation calldata op, bytes32[] calldata opDigests) private view {
        bytes32 digest = digestOf(op);
        for (uint256 i = 0; i < opDigests.length; i++) {
            if (opDigests[i] == digest) return;
        }
        revert InvalidMultiOperation();
    }

    function _checkSignature(bytes32 digest, bytes calldata signature) private view {
        address signer_ = signer();
        if (signer_.code.length > 0) {
            if (!_acceptedBy(signer_, digest, signature)) revert InvalidEIP1271Signature();
            return;
        }
        (address recovered, ECDSA.RecoverError problem,) = ECDSA.tryRecover(digest, signature);
        if (problem != ECDSA.RecoverError.NoError) revert InvalidSignature();
        if (recovered != signer_) revert BadSignatory();
    }

    function _acceptedBy(address contractSigner, bytes32 digest, bytes calldata signature) private view returns (bool) {
        (bool success, bytes memory answer) =
            contractSigner.staticcall(abi.encodeCall(IERC1271.isValidSignature, (digest, signature)));
        return success && answer.length >= 32
            && abi.decode(answer, (bytes32)) == bytes32(IERC1271.isValidSignature.selector);
    }

    /* VIEWS */

    /// @inheritdoc ISvcWallet
    function signer() public view returns (address) {
        return abi.decode(Clones.fetchCloneArgs(address(this)), (address));
    }

    /// @inheritdoc ISvcWallet
    function domainSeparator() public view returns (bytes32) {
        return keccak256(abi.encode(DOMAIN_TYPEHASH, NAME_HASH, VERSION_HASH, block.chainid, address(this)));
    }

    /// @inheritdoc ISvcWallet
    function digestOf(Operation calldata op) public view returns (bytes32) {
        bytes32[] memory sources = new bytes32[](op.scriptSources.length);
        for (uint256 i = 0; i < sources.length; i++) {
            sources[i] = keccak256(op.scriptSources[i]);
        }
        bytes32 structHash = keccak256(
            abi.encode(
                OPERATION_TYPEHASH,
                op.nonce,
                op.isReplayable,
                op.scriptAddress,
                keccak256(abi.encodePacked(sources)),
                keccak256(op.scriptCalldata),
                op.expiry
            )
        );
        return keccak256(abi.encodePacked(hex"1901", domainSeparator(), structHash));
    }

    /// @inheritdoc ISvcWallet
    function multiDigestOf(bytes32[] calldata opDigests) public pure returns (bytes32) {
        bytes32 separator = keccak256(abi.encode(MULTI_DOMAIN_TYPEHASH, NAME_HASH, VERSION_HASH));
        bytes32 structHash = keccak256(abi.encode(MULTI_TYPEHASH, keccak256(abi.encodePacked(opDigests))));
        return keccak256(abi.encodePacked(hex"1901", separator, structHash));
    }

    /// @inheritdoc ISvcWallet
    function isValidSignature(bytes32 hash, bytes calldata signature)
        external
        view
        override(ISvcWallet, IERC1271)
        returns (bytes4)
    {
        address signer_ = signer();
        bool valid;
        if (signer_.code.length > 0) {
            valid = _acceptedBy(signer_, hash, signature);
        } else {
            (address recovered, ECDSA.RecoverError problem,) = ECDSA.tryRecover(hash, signature);
            valid = problem == ECDSA.RecoverError.NoError && recovered == signer_;
        }
        return valid ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}
