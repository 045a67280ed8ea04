// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.examples;

/**
 * The mathematics of a perceptron with one hidden layer: rectified hidden units, softmax, cross entropy. The first
 * layer has a row for each input and one of biases, each with a value for each hidden unit. The second layer has a row
 * for each hidden unit and one of biases, each with a value for each class.
 */
final class Perceptron
{
    private final int inputs;
    private final int hidden;
    private final int classes;
    private final float[] activations;
    private final float[] probabilities;
    private final float[] slopes;

    Perceptron(final int inputs, final int hidden, final int classes)
    {
        this.inputs = inputs;
        this.hidden = hidden;
        this.classes = classes;
        activations = new float[hidden];
        probabilities = new float[classes];
        slopes = new float[hidden];
    }

    int classOf(final float[] input, final float[] first, final float[] second)
    {
        forward(input, first, second);
        int best = 0;
        for (int c = 1; c < classes; c++)
        {
            best = probabilities[c] > probabilities[best] ? c : best;
        }

        return best;
    }

    /**
     * Add the gradient of one example's loss.
     *
     * @param weight of the example: 1 / size of the batch makes sums of gradients the gradient of the mean loss.
     */
    void addGradient(
        final float[] input,
        final int label,
        final float weight,
        final float[] first,
        final float[] second,
        final float[] firstGradient,
        final float[] secondGradient)
    {
        forward(input, first, second);
        probabilities[label] -= 1f;
        for (int h = 0; h <= hidden; h++)
        {
            final float activation = h < hidden ? activations[h] : 1f;
            float slope = 0f;
            for (int c = 0; c < classes; c++)
            {
                slope += probabilities[c] * second[h * classes + c];
                secondGradient[h * classes + c] += weight * activation * probabilities[c];
            }
            if (h < hidden)
            {
                slopes[h] = activation > 0f ? weight * slope : 0f;
            }
        }
        for (int i = 0; i <= inputs; i++)
        {
            final float value = i < inputs ? input[i] : 1f;
            for (int h = 0; 0f != value && h < hidden; h++)
            {
                firstGradient[i * hidden + h] += value * slopes[h];
            }
        }
    }

    private void forward(final float[] input, final float[] first, final float[] second)
    {
        System.arraycopy(first, inputs * hidden, activations, 0, hidden);
        for (int i = 0; i < inputs; i++)
        {
            final float value = input[i];
            for (int h = 0; 0f != value && h < hidden; h++)
            {
                activations[h] += value * first[i * hidden + h];
            }
        }
        System.arraycopy(second, hidden * classes, probabilities, 0, classes);
        for (int h = 0; h < hidden; h++)
        {
            activations[h] = Math.max(0f, activations[h]);
            for (int c = 0; c < classes; c++)
            {
                probabilities[c] += activations[h] * second[h * classes + c];
            }
        }
        softmax();
    }

    private void softmax()
    {
        float largest = probabilities[0];
        for (final float score : probabilities)
        {
            largest = Math.max(largest, score);
        }
        float sum = 0f;
        for (int c = 0; c < classes; c++)
        {
            probabilities[c] = (float)StrictMath.exp(probabilities[c] - largest);
            sum += probabilities[c];
        }
        for (int c = 0; c < classes; c++)
        {
            probabilities[c] /= sum;
        }
    }
}
