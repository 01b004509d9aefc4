#pragma once
#include <string>
#include <vector>

#include "core/scene.h"

namespace attn {

/// Edits of tokens (rows). Labels, masks, padding flags, documents, biases and the upstream gradient follow
/// their token; a causal mask, a window and a length count places and stay. Every edit throws Error with one
/// line where it cannot be, and then leaves the scene as it was.
enum class Tokens { queries, keys, both };

/// Whether queries and keys are the same tokens: X attends to itself, or Q and K are given for as many
/// tokens with the same labels.
bool isOneSequence(const Scene& scene);

/// What an edit of these tokens is about: both where X attends to itself, otherwise what was asked for.
Tokens tokensMeant(const Scene& scene, Tokens asked);

/// A new row: noise like the others where they are noise, else 0. `at` may be the number of tokens.
void addToken(Scene& scene, Tokens tokens, Index at, const std::string& label = "");
void removeToken(Scene& scene, Tokens tokens, Index at);
void duplicateToken(Scene& scene, Tokens tokens, Index at);
/// What was at `from` is at `to` afterwards.
void moveToken(Scene& scene, Tokens tokens, Index from, Index to);

/// An empty label stands for the number.
void renameToken(Scene& scene, Tokens tokens, Index at, const std::string& label);
/// One label a token, or none at all.
void setTokenLabels(Scene& scene, Tokens tokens, const std::vector<std::string>& labels);

}  // namespace attn
